/**
 * Reads bodies from Node's requests. Effect's reader serves any stream: it waits for the close of each, watches it
 * separately and copies its content, which costs a small request a twentieth of its CPU time.
 */
import { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BodyReader, bytesOf } from "../pipeline/request/BodyText.ts"

/** Provide it to the routes of a host on Node. */
export const layer = Layer.succeed(BodyReader, (request) =>
  request.source instanceof IncomingMessage && isAnnounced(request.source)
    ? gathered(request.source)
    : bytesOf(request)
)

/** Whether its length is known, and was checked, and its sender does not wait to be asked for it. */
const isAnnounced = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined && headers.expect === undefined

/** Never ends when the caller has gone: its request is interrupted. */
const gathered = (source: IncomingMessage): Effect.Effect<Uint8Array> =>
  Effect.callback((resume) => {
    const chunks: Array<Uint8Array> = []
    const take = (chunk: Uint8Array) => chunks.push(chunk)
    source.on("data", take)
    source.once("end", () => {
      const [only, ...others] = chunks
      resume(Effect.succeed(only === undefined || others.length > 0 ? Buffer.concat(chunks) : only))
    })
    return Effect.sync(() => source.off("data", take))
  })

/** The text of a body. Bytes that are no UTF-8 are refused: a replacement for them would be stored as if it was sent. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import type { FieldIssue } from "../../errors/SchemaIssues.ts"

const strict = new TextDecoder("utf-8", { fatal: true })
const lenient = new TextDecoder("utf-8", { ignoreBOM: true })
const encoder = new TextEncoder()

/** What a lenient decoder makes of bytes that are no UTF-8, and of these three. */
const replacement = "\uFFFD"
const replacementBytes = encoder.encode(replacement)

/** The bytes of a body, up to the limit of the call. */
export const bytesOf = (request: HttpServerRequest): Effect.Effect<Uint8Array> =>
  Effect.map(Effect.orDie(request.arrayBuffer), (buffer) => new Uint8Array(buffer))

/** How the host reads a body. */
export const BodyReader = Context.Reference<typeof bytesOf>("@runhook/http/pipeline/BodyReader", {
  defaultValue: () => bytesOf
})

export const bodyText = (bytes: Uint8Array): Result.Result<string, FieldIssue> => {
  try {
    return Result.succeed(strict.decode(bytes))
  } catch {
    const message = `must be UTF-8, which it is not at byte ${firstFault(bytes)}`
    return Result.fail({ path: ["body"], message })
  }
}

/** The place of the first byte that is no UTF-8, counted from 0. */
const firstFault = (bytes: Uint8Array): number => {
  let place = 0
  const [first = "", ...others] = lenient.decode(bytes).split(replacement)
  place += encoder.encode(first).length
  for (const text of others) {
    const isSent = replacementBytes.every((byte, index) => bytes[place + index] === byte)
    if (!isSent) return place
    place += replacementBytes.length + encoder.encode(text).length
  }
  return place
}

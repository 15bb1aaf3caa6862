/** The bytes of what a run captured. */
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Stream from "effect/Stream"
import { pathOf } from "../call/Request.ts"
import { type FileLink, pathOfFile } from "../resources/Files.ts"
import { isOk, type Reading, refuse } from "./Answer.ts"
import type { RunhookError } from "./Errors.ts"
import type { Read, Send } from "./Send.ts"
import type { CallOptions } from "./Settings.ts"
import { connectionError, execute } from "./Transport.ts"

export const makeFiles = (send: Send, apiRoot: string) => ({
  /**
   * The bytes of a file. The key is sent to the service alone, never to the
   * storage that it refers to. What breaks off after the first byte is not retried.
   */
  download: (file: FileLink, options?: CallOptions): Stream.Stream<Uint8Array, RunhookError> =>
    Stream.unwrap(
      Effect.suspend(() => send({ method: "GET", path: pathOfFile(file) }, options, openFile(apiRoot)))
    ),

  /** The link of a file. It opens with the key only: see `download`. */
  url: ({ execution_id, id }: { readonly execution_id: string; readonly id: string }): string =>
    apiRoot + pathOf`/executions/${execution_id}/files/${id}`
})

export type Files = ReturnType<typeof makeFiles>

/** Follows the redirect to the storage, without the key. */
const openFile = (apiRoot: string): Read<Stream.Stream<Uint8Array, RunhookError>> =>
  Effect.fnUntraced(function* (response, reading) {
    const opened = yield* behind(response, { apiRoot, reading })
    if (!isOk(opened)) return yield* refuse(opened, reading)
    return Stream.mapError(opened.stream, connectionError(reading))
  })

const behind = (
  response: HttpClientResponse.HttpClientResponse,
  { apiRoot, reading }: { readonly apiRoot: string; readonly reading: Reading }
) => {
  // A page may not see where a redirect leads. The browser follows it, and drops the key for another origin.
  if (response.status === 0) return execute(response.request, reading, "follow")
  const location = response.status === 302 ? response.headers["location"] : undefined
  if (location === undefined) return Effect.succeed(response)
  return execute(HttpClientRequest.get(new URL(location, apiRoot)), reading, "follow")
}

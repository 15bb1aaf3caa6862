/** The response: its body on success, otherwise the matching error. */
import * as Effect from "effect/Effect"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Redacted from "effect/Redacted"
import { failedOf, jsonObject } from "../call/Failed.ts"
import { errorOf, type RunhookError } from "./Errors.ts"
import { connectionError, type Exchange } from "./Transport.ts"

type Response = HttpClientResponse.HttpClientResponse

export const isOk = ({ status }: Response): boolean => status >= 200 && status <= 299

/** The body of a success, which is a JSON object. Anything else fails with the matching error. */
export const readJson = Effect.fnUntraced(function* <A>(response: Response, exchange: Exchange) {
  const text = yield* textOf(response, exchange)
  const body: A | undefined = jsonObject(text)
  return isOk(response) && body !== undefined ? body : yield* failWith(response, text, exchange)
})

/** The same for any call: null where a success has no body. */
export const readAny = <A>(response: Response, exchange: Exchange): Effect.Effect<A, RunhookError> =>
  response.status === 204 ? Effect.succeed(JSON.parse("null")) : readJson(response, exchange)

/** A success without a body. */
export const readNothing = (response: Response, exchange: Exchange): Effect.Effect<void, RunhookError> =>
  isOk(response) ? Effect.void : refuse(response, exchange)

/** Fails with the error of a failed answer. */
export const refuse = (response: Response, exchange: Exchange): Effect.Effect<never, RunhookError> =>
  Effect.flatMap(textOf(response, exchange), (text) => failWith(response, text, exchange))

const textOf = (response: Response, exchange: Exchange) =>
  Effect.mapError(response.text, connectionError(exchange))

const failWith = (
  { headers, status }: Response,
  text: string,
  { attempts, executionId, settings: { apiKey } }: Exchange
): Effect.Effect<never, RunhookError> =>
  Effect.fail(
    errorOf(
      failedOf(
        { headers: new Headers(headers), status, text },
        { apiKey: Redacted.value(apiKey), attempts, executionId }
      )
    )
  )

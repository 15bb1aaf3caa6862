/** What comes back: the body of a success, or the error that tells what else it was. */
import * as Effect from "effect/Effect"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Redacted from "effect/Redacted"
import { failedOf, jsonObject } from "../call/Failed.ts"
import { errorOf, type RunhookError } from "./Errors.ts"
import { connectionError, type Exchange } from "./Transport.ts"

type Response = HttpClientResponse.HttpClientResponse

export const isOk = ({ status }: Response): boolean => status >= 200 && status <= 299

/** The body of a success, which is a JSON object. Fails with the error that anything else stands for. */
export const readJson = Effect.fnUntraced(function* <A>(response: Response, exchange: Exchange) {
  const text = yield* textOf(response, exchange)
  const body: A | undefined = jsonObject(text)
  return isOk(response) && body !== undefined ? body : yield* failWith(response, text, exchange)
})

/** Fails with the error that an answer without success stands for. */
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

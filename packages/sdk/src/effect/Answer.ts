/** What comes back: the body of a success, or the error that tells what else it was. */
import * as Effect from "effect/Effect"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Redacted from "effect/Redacted"
import { failedOf, jsonObject } from "../call/Failed.ts"
import { errorOf, type RunhookError } from "./Errors.ts"
import type { Settings } from "./Settings.ts"
import { connectionError } from "./Transport.ts"

/** What an answer is read with. */
export interface Reading {
  readonly settings: Settings
  /** Requests that were made. */
  readonly attempts: number
}

type Response = HttpClientResponse.HttpClientResponse

export const isOk = ({ status }: Response): boolean => status >= 200 && status <= 299

/** The body of a success, which is a JSON object. Fails with the error that anything else stands for. */
export const readJson = Effect.fnUntraced(function* <A>(response: Response, reading: Reading) {
  const text = yield* textOf(response, reading)
  const body: A | undefined = jsonObject(text)
  return isOk(response) && body !== undefined ? body : yield* failWith(response, text, reading)
})

/** Fails with the error that an answer without success stands for. */
export const refuse = (response: Response, reading: Reading): Effect.Effect<never, RunhookError> =>
  Effect.flatMap(textOf(response, reading), (text) => failWith(response, text, reading))

const textOf = (response: Response, reading: Reading) =>
  Effect.mapError(response.text, connectionError(reading))

const failWith = (
  { headers, status }: Response,
  text: string,
  { attempts, settings: { apiKey } }: Reading
): Effect.Effect<never, RunhookError> =>
  Effect.fail(
    errorOf(
      failedOf({ headers: new Headers(headers), status, text }, { apiKey: Redacted.value(apiKey), attempts })
    )
  )

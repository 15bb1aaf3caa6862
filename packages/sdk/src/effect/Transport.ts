/** One exchange over the program's HTTP client. */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { naming } from "../call/Failed.ts"
import { withoutKey } from "../call/Log.ts"
import { ConnectionError } from "./Errors.ts"
import type { Settings } from "./Settings.ts"

/** One attempt of a call. */
export interface Exchange {
  readonly settings: Settings
  /** Requests sent so far, including this one. */
  readonly attempts: number
  /** The execution that the call waits for. */
  readonly executionId: string | null
}

/** Sends a request, and follows redirects only if told to: their targets must not see the key. */
export const execute = (
  request: HttpClientRequest.HttpClientRequest,
  exchange: Exchange,
  redirect: "follow" | "manual" = "manual"
) =>
  Effect.serviceOption(FetchHttpClient.RequestInit).pipe(
    Effect.flatMap((given) =>
      exchange.settings.http.execute(request).pipe(
        Effect.provideService(FetchHttpClient.RequestInit, {
          ...Option.getOrUndefined(given),
          redirect
        })
      )
    ),
    Effect.mapError(connectionError(exchange))
  )

/** What went wrong below HTTP. The client's own error is not kept, since it contains the request with its key. */
export const connectionError =
  ({ attempts, executionId, settings: { apiKey, apiRoot } }: Exchange) =>
  ({ reason }: HttpClientError.HttpClientError): ConnectionError => {
    const words = "cause" in reason && reason.cause instanceof Error ? reasonsOf(reason.cause) : reason._tag
    const message = withoutKey(`Could not reach ${new URL(apiRoot).origin}: ${words}`, Redacted.value(apiKey))
    return new ConnectionError({
      message: naming(executionId, message),
      status: null,
      requestId: null,
      attempts,
      executionId,
      retryAfterMs: null
    })
  }

const reasonsOf = ({ cause, message }: Error): string =>
  [message, cause instanceof Error ? cause.message : ""].filter(Boolean).join(": ")

/** Makes a call: its attempts, the pauses between them, and the time limits. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { userAgent } from "../call/Environment.ts"
import { naming } from "../call/Failed.ts"
import { jsonText } from "../call/Json.ts"
import { checkedKey, randomName } from "../call/RandomName.ts"
import { isWorthRetrying, pauseMs, retriesAfter } from "../call/Retry.ts"
import { limitsOf } from "../call/Settings.ts"
import { type ApiRequest, type Request, urlOf } from "../requests/Request.ts"
import { readJson } from "./Answer.ts"
import { type RunhookError, TimeoutError } from "./Errors.ts"
import { type CallOptions, limitsIn, type Settings } from "./Settings.ts"
import { type Exchange, execute } from "./Transport.ts"

/** Turns an answer into a result. If it fails, the attempt fails. */
export type Read<A> = (
  response: HttpClientResponse.HttpClientResponse,
  exchange: Exchange
) => Effect.Effect<A, RunhookError>

/** Sends a request and reads its answer, by default as JSON. */
export type Send = <A, B = A>(
  request: Request<A, CallOptions>,
  read?: Read<B>
) => Effect.Effect<B, RunhookError>

export const makeSend =
  (settings: Settings): Send =>
  <A, B = A>(request: Request<A, CallOptions>, read: Read<B> = readJson) =>
    // One key for all attempts, and a new one each time the effect is run.
    Effect.suspend(() => {
      const idempotencyKey = request.idempotencyKey === null ? randomName() : request.idempotencyKey
      return answerTo(settings, { request: { ...request, idempotencyKey }, read })
    }).pipe(Effect.withSpan("Runhook.call", { attributes: { method: request.method, path: request.path } }))

/** A call in progress. */
interface Sending<A> {
  readonly request: ApiRequest & Pick<Request<unknown, CallOptions>, "executionId" | "options">
  readonly read: Read<A>
}

/** Retries until an attempt succeeds or retrying cannot help. */
const answerTo = Effect.fnUntraced(function* <A>(settings: Settings, sending: Sending<A>) {
  const { options = {} } = sending.request
  const { attemptTimeoutMs, retries, timeoutMs } = limitsOf(limitsIn(options), settings.limits)
  const endsAt = (yield* Clock.currentTimeMillis) + timeoutMs
  let attempts = 0
  const attempt = Effect.gen(function* () {
    attempts++
    const leftMs = endsAt - (yield* Clock.currentTimeMillis)
    const limitMs = Math.min(attemptTimeoutMs + (sending.request.waitMs ?? 0), leftMs)
    return yield* attemptOnce(settings, sending, { attempts, limitMs })
  })
  return yield* Effect.retry(attempt, {
    while: (error) => attempts <= (retries ?? retriesAfter(error)) && isWorthRetrying(error, sending.request),
    schedule: pausesUntil(endsAt)
  })
})

/** Random pauses up to a bound that doubles, after what the service asked for. None that would end too late. */
const pausesUntil = (endsAt: number) =>
  Schedule.forever.pipe(
    Schedule.setInputType<RunhookError>(),
    Schedule.modifyDelay(({ attempt, input }) =>
      Effect.map(Random.next, (chance) => pauseMs(attempt, input.retryAfterMs, () => chance))
    ),
    Schedule.while(({ duration, now }) => now + Duration.toMillis(duration) < endsAt)
  )

interface Attempt {
  /** Requests with this one. */
  readonly attempts: number
  readonly limitMs: number
}

const attemptOnce = <A>(
  settings: Settings,
  { read, request }: Sending<A>,
  { attempts, limitMs }: Attempt
): Effect.Effect<A, RunhookError> => {
  const { executionId = null } = request
  const exchange = { settings, attempts, executionId }
  return execute(httpRequest(settings, request), exchange).pipe(
    Effect.flatMap((response) => read(response, exchange)),
    Effect.timeoutOrElse({
      duration: limitMs,
      orElse: () =>
        Effect.fail(
          new TimeoutError({
            message: naming(executionId, `No answer within ${Math.ceil(limitMs)} ms`),
            status: null,
            requestId: null,
            attempts,
            executionId,
            retryAfterMs: null
          })
        )
    })
  )
}

const httpRequest = ({ apiKey, apiRoot }: Settings, request: ApiRequest) => {
  const { body, idempotencyKey, method } = request
  const bare = HttpClientRequest.make(method)(urlOf(apiRoot, request), {
    headers: { "idempotency-key": idempotencyKey && checkedKey(idempotencyKey), "user-agent": userAgent() }
  }).pipe(HttpClientRequest.bearerToken(Redacted.value(apiKey)))
  return body === undefined ? bare : HttpClientRequest.bodyText(bare, jsonText(body), "application/json")
}

/** Makes a call: its attempts, the pauses between them, and the time limits. */
import type { Clock } from "../call/Clock.ts"
import { userAgent } from "../call/Environment.ts"
import { naming } from "../call/Failed.ts"
import { jsonText } from "../call/Json.ts"
import { type LogEntry, withoutKey } from "../call/Log.ts"
import { checkedKey, randomName } from "../call/RandomName.ts"
import { isWorthRetrying, pauseMs, retriesAfter } from "../call/Retry.ts"
import { type CallOptions, limitsOf, type Settings } from "../call/Settings.ts"
import { ConnectionError, RunhookError, TimeoutError } from "../Errors.ts"
import { type ApiRequest, type Request, urlOf } from "../requests/Request.ts"
import { type Answered, type Call, callOf, readJson, type Reading, requestIdOf } from "./Answer.ts"

/** Turns an answer into a result. If it rejects, the attempt fails. */
export type Read<A> = (response: Response, reading: Reading) => Promise<A>

/** Sends a request and reads its answer, by default as the JSON of the request's type. */
export type Send = <A, B = A>(request: Request<A, CallOptions>, read?: Read<B>) => Call<B>

export const makeSend =
  (settings: Settings, clock: Clock): Send =>
  <A, B = A>(request: Request<A, CallOptions>, read: Read<B> = readJson) => {
    // One key for all attempts.
    const idempotencyKey = request.idempotencyKey === null ? randomName() : request.idempotencyKey
    return callOf(answerTo({ settings, clock, request: { ...request, idempotencyKey }, read }))
  }

/** A call in progress. */
interface Sending<A> {
  readonly settings: Settings
  readonly clock: Clock
  readonly request: ApiRequest & Pick<Request<unknown, CallOptions>, "executionId" | "options">
  readonly read: Read<A>
}

/** Retries until an attempt succeeds or retrying cannot help. */
const answerTo = async <A>(sending: Sending<A>): Promise<Answered<A>> => {
  const { clock, request, settings } = sending
  const { options = {} } = request
  const { attemptTimeoutMs, retries, timeoutMs } = limitsOf(options, settings.limits)
  const signal = options.signal ?? new AbortController().signal
  const endsAt = clock.now() + timeoutMs

  for (let attempt = 1; ; attempt++) {
    const startedAt = clock.now()
    const tell = (
      event: LogEntry["event"],
      about: Pick<LogEntry, "delayMs" | "problem" | "status" | "requestId">
    ) =>
      settings.log?.({
        event,
        method: request.method,
        path: request.path,
        attempt,
        durationMs: clock.now() - startedAt,
        ...about
      })
    try {
      const limitMs = Math.min(attemptTimeoutMs + (request.waitMs ?? 0), endsAt - startedAt)
      const answered = await attemptOnce(sending, { attempt, limitMs, signal })
      tell("response", { status: answered.response.status, requestId: answered.requestId })
      return answered
    } catch (error) {
      signal.throwIfAborted()
      // A hook's own.
      if (!(error instanceof RunhookError)) throw error
      const { message, requestId, status } = error
      const delayMs = pauseMs(attempt, error.retryAfterMs, clock.random)
      const isOver =
        attempt > (retries ?? retriesAfter(error)) ||
        !isWorthRetrying(error, request) ||
        clock.now() + delayMs >= endsAt
      tell(isOver ? "failure" : "retry", {
        status,
        requestId,
        problem: message,
        ...(!isOver && { delayMs })
      })
      if (isOver) throw error
      await clock.sleep(delayMs, signal)
    }
  }
}

interface Attempt {
  /** From 1. */
  readonly attempt: number
  readonly limitMs: number
  readonly signal: AbortSignal
}

const attemptOnce = async <A>(
  { clock, read, request, settings }: Sending<A>,
  { attempt, limitMs, signal: caller }: Attempt
): Promise<Answered<A>> => {
  const { apiKey, apiRoot } = settings
  const { accept, body, executionId = null, idempotencyKey, method } = request
  const url = urlOf(apiRoot, request)
  const headers = new Headers(request.options?.headers)
  const agent = userAgent()
  if (agent && !headers.has("user-agent")) headers.set("user-agent", agent)
  if (body !== undefined) headers.set("content-type", "application/json")
  if (accept !== undefined) headers.set("accept", accept)
  if (idempotencyKey !== undefined) headers.set("idempotency-key", checkedKey(idempotencyKey))
  await settings.onRequest?.({ method, url, attempt, headers })
  if (apiKey !== null) headers.set("authorization", `Bearer ${apiKey}`)
  // No form and no page of another site can send it, so the service takes the cookie for the user's own.
  else headers.set("x-runhook-console", "1")

  caller.throwIfAborted()
  const late = new AbortController()
  const signal = AbortSignal.any([caller, late.signal])
  const cancel = clock.after(limitMs, () => late.abort())
  const asked = { apiKey, attempts: attempt, executionId }
  /** Names what went wrong with a step. */
  const named = (cause: unknown): never => {
    caller.throwIfAborted()
    if (cause instanceof RunhookError) throw cause
    const isLate = late.signal.aborted
    const words = isLate
      ? `No answer within ${Math.ceil(limitMs)} ms`
      : withoutKey(`Could not reach ${new URL(apiRoot).origin}: ${reasonOf(cause)}`, apiKey)
    throw new (isLate ? TimeoutError : ConnectionError)({ ...asked, message: naming(executionId, words) })
  }
  try {
    const sent = { method, headers, signal, body: jsonText(body) ?? null, redirect: "manual" } as const
    const response = await settings.fetch(url, sent).catch(named)
    await settings.onResponse?.(response)
    const follow = () => settings.fetch(url, { ...sent, redirect: "follow" })
    const reading = { ...asked, fetch: settings.fetch, follow, signal }
    const answer = await read(response, reading).catch(named)
    return { body: answer, response, requestId: requestIdOf(response), attempts: attempt }
  } finally {
    cancel()
  }
}

/** The words of a failure below HTTP. Its object stays behind, since it may hold the request. */
const reasonOf = (failure: unknown): string =>
  failure instanceof Error
    ? [failure.message, failure.cause instanceof Error ? failure.cause.message : ""]
        .filter(Boolean)
        .join(": ")
    : String(failure)

/** The progress of a test webhook as steps. Pure. */
import type { DeliveryAttempt, DeliveryDetail } from "@runhook/sdk/admin"
import { durationWords } from "../../format/Amounts.ts"

export interface TestStep {
  readonly state: "done" | "fail" | "now" | "next"
  readonly title: string
  /** When it happened, as an instant of the API. */
  readonly at?: string
  /** What to do about it. */
  readonly hint?: string
  /** The service's message about the failure. */
  readonly error?: string
}

type TestDelivery = Pick<DeliveryDetail, "attempts_log" | "state" | "waiting_for" | "next_attempt_at">

/** Send, connect, answer; a step that is not reached yet is `next`. */
export const stepsOf = (delivery: TestDelivery): ReadonlyArray<TestStep> => {
  const attempt = delivery.attempts_log.at(-1)
  if (attempt === undefined) return [waitingStep(delivery), { ...connecting, state: "next" }, answering]
  if (attempt.phase === "policy") return [refusedStep(attempt), { ...connecting, state: "next" }, answering]
  const sent: TestStep = { state: "done", title: "Signed and sent", at: attempt.started_at }
  if (attempt.phase === "dns" || attempt.phase === "connect") {
    return [sent, { ...failed(attempt), title: "No connection", hint: unreachable(attempt) }, answering]
  }
  return [sent, connectedStep(attempt), answerStep(attempt)]
}

const connecting = { title: "Connect" } as const
const answering: TestStep = { state: "next", title: "Answer" }

const waitingWords: { readonly [reason: string]: string } = {
  breaker_open: "The receiver has failed too often: the test waits until another was tried",
  paused: "The receiver asked for a pause: the test waits until it ends",
  backoff: "Waits for its next attempt"
}

const waitingStep = ({ next_attempt_at: at, waiting_for: reason }: TestDelivery): TestStep => {
  const words = waitingWords[reason ?? ""]
  return words === undefined
    ? { state: "now", title: reason === "sending" ? "Being sent" : "Queued" }
    : { state: "now", title: words, ...(at === null ? {} : { at }) }
}

const failed = ({ error }: DeliveryAttempt) => ({
  state: "fail" as const,
  ...(error === null ? {} : { error })
})

const refusedStep = (attempt: DeliveryAttempt): TestStep => ({
  ...failed(attempt),
  title: "Not sent",
  hint: "Only the operator can allow private addresses."
})

const unreachable = ({ phase, timings_ms: { tls } }: DeliveryAttempt): string => {
  if (phase === "dns") return "Is the name spelled right, and public?"
  return tls === null
    ? "Is it running, and open to the internet? Has a tunnel been closed?"
    : "Its certificate is not trusted: renew it, or give the operator your CA certificate."
}

const connectedStep = ({ timings_ms: { connect, dns, tls } }: DeliveryAttempt): TestStep => {
  const parts = [dns, connect, tls].filter((part) => part !== null)
  if (parts.length === 0) return { state: "done", title: "Connected, by a connection that was open" }
  const took = durationWords(parts.reduce((sum, part) => sum + part, 0))
  return { state: "done", title: `Connected${tls === null ? "" : ", with TLS"}, in ${took}` }
}

const answerStep = (attempt: DeliveryAttempt): TestStep => {
  const { response, timings_ms } = attempt
  const took = durationWords((timings_ms.headers ?? 0) + (timings_ms.body ?? 0))
  if (attempt.error === null)
    return { state: "done", title: `${response?.status ?? 200} in ${took}: it works` }
  const hint = response === null ? silent : hintOf(response.status)
  const title = response === null ? `No answer in ${took}` : `${response.status} after ${took}`
  return { ...failed(attempt), title, ...(hint === undefined ? {} : { hint }) }
}

const silent = "It took the request, then said nothing: answer 200 first, then work."

const hintOf = (status: number): string | undefined => {
  if (status === 401 || status === 403)
    return "The receiver refuses the signature. Does it have the secret of this key, and check the raw bytes?"
  if (status === 404 || status === 410) return "The address answers, but not at this path."
  if (status === 405 || status === 415) return "The path does not take POST with JSON."
  if (status === 429) return "The receiver asks for a pause. The test continues after it."
  if (status >= 500) return "The receiver is failing: its log says why."
  if (status >= 300 && status < 400)
    return "It answers with a redirect, which is never followed: use that URL."
  return status < 300 ? "The connection broke during the answer. The event may have arrived." : undefined
}

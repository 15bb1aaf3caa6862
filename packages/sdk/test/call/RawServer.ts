/** A server that answers as a test says, and a clock without waits. */
import { type Answer, startReceiver } from "@runhook/test-support/receivers/Receiver"
import type { Clock } from "../../src/call/Clock.ts"

/** Meets the requests one after the other; what is too many is met as the last. */
export const startServer = async (...answers: ReadonlyArray<Answer>) => {
  let requests = 0
  const { origin, ...receiver } = await startReceiver((response, received) =>
    answers[Math.min(++requests, answers.length) - 1]?.(response, received)
  )
  return { ...receiver, url: origin }
}

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response
      .writeHead(status, { "content-type": "application/json", "x-request-id": "req_1", ...headers })
      .end(JSON.stringify(body))
  }

export const refusal = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {}
): Answer =>
  json(
    status,
    { error: { code, message: `refused: ${code}`, details: { why: code }, request_id: "req_2" } },
    headers
  )

/** Closes the connection without an answer. */
export const hangUp: Answer = (response) => void response.destroy()

export interface TestClock extends Clock {
  /** What was waited for, in milliseconds, in order. */
  readonly pauses: ReadonlyArray<number>
}

/** Its pauses are over at once, and make it later by their length. Time-outs never run out, but of no time. Chance is always the middle. */
export const testClock = (): TestClock => {
  const pauses: Array<number> = []
  let nowMs = 0
  return {
    pauses,
    now: () => nowMs,
    random: () => 0.5,
    after: (milliseconds, act) => {
      if (milliseconds === 0) queueMicrotask(act)
      return () => {}
    },
    sleep: async (milliseconds, signal) => {
      signal.throwIfAborted()
      pauses.push(milliseconds)
      nowMs += milliseconds
    }
  }
}

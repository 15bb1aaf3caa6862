/** Outcomes that wait for the next claim. */
import { jsonText } from "../call/Json.ts"
import { apiError } from "../promise/ApiError.ts"
import type { Ending, LeaseRef, Outcome, OutcomeAnswer } from "../wire/Runner.ts"

/**
 * Most bytes of outcomes that go along with a claim. The service reads bodies of more than 64 KiB
 * one after the other, and a claim also names what is in flight.
 */
const carriedBytesMax = 48 * 1_024

/** An outcome on its way. */
export interface Report {
  readonly lease: LeaseRef
  readonly body: LeaseRef & Outcome
  readonly bytes: number
  /** Resolves it with the service's answer; undefined if there is none, and it must be reported by itself. */
  readonly settle: (answer: OutcomeAnswer | undefined) => void
}

export class Reports {
  readonly #waiting = new Set<Report>()

  /**
   * Resolves when the service has answered: with what follows when it has taken the outcome, with undefined
   * when that has to be told by itself. Rejects with the service's refusal, and with the signal's reason.
   * Undefined for one that is too large. Throws for what cannot be written as JSON.
   */
  add(lease: LeaseRef, outcome: Outcome, signal: AbortSignal): Promise<Ending | undefined> | undefined {
    signal.throwIfAborted()
    const body = { ...lease, ...outcome }
    const bytes = Buffer.byteLength(jsonText(body))
    if (bytes > carriedBytesMax) return undefined
    return new Promise((resolve, reject) => {
      const settle = (answer: OutcomeAnswer | undefined) => {
        if (answer === undefined || answer.accepted) resolve(answer)
        else if (isForNow(answer.http_status)) resolve(undefined)
        else reject(refusalOf(answer))
      }
      const report = { lease, body, bytes, settle }
      this.#waiting.add(report)
      signal.addEventListener("abort", () => {
        this.#waiting.delete(report)
        reject(signal.reason)
      })
    })
  }

  /** As many as fit in one claim, the oldest first. */
  take(): ReadonlyArray<Report> {
    const taken: Array<Report> = []
    let bytes = 0
    for (const report of this.#waiting) {
      bytes += report.bytes
      if (bytes > carriedBytesMax) break
      taken.push(report)
    }
    for (const report of taken) this.#waiting.delete(report)
    return taken
  }

  /** All that wait. */
  takeAll(): ReadonlyArray<Report> {
    const all = [...this.#waiting]
    this.#waiting.clear()
    return all
  }
}

/** Whether the same may be accepted another time. */
const isForNow = (status: number): boolean => status === 429 || status >= 500

const refusalOf = ({ error, http_status: status }: Extract<OutcomeAnswer, { readonly accepted: false }>) =>
  apiError({ ...error, requestId: error.request_id, status, attempts: 1 })

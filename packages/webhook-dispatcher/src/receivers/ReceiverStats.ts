/** What this process has seen of the receivers that it sent to lately. What it has forgotten, it learns again. */
import { type Receiver, receiverKey } from "@runhook/core/domain/delivery/Receiver"
import type * as DateTime from "effect/DateTime"
import {
  concurrencyAfter,
  concurrencyMax,
  concurrencyStart,
  initialConcurrency
} from "./AdaptiveConcurrency.ts"
import type { AttemptSignal } from "./AttemptSignal.ts"
import { failuresAfter } from "./CircuitBreaker.ts"
import { answerMsAfter, type Pace, windowOf } from "./LeaseWindow.ts"

export interface ReceiverRecord extends Pace {
  readonly receiver: Receiver
  /** Deliveries of this process that it has not answered, whether they are sent or wait for their place. */
  readonly leased: number
  /** Until when its breaker is open, if this process opened it. */
  readonly openUntil: DateTime.Utc | null
}

/** Receivers that are remembered. Each claim names those of them that do not have the usual room. */
export const rememberedMax = 1_000

export class ReceiverStats {
  /** The one that was heard of least lately comes first. */
  readonly #records = new Map<string, ReceiverRecord>()

  of(receiver: Receiver): ReceiverRecord {
    return (
      this.#records.get(receiverKey(receiver)) ?? {
        receiver,
        leased: 0,
        concurrency: initialConcurrency,
        failures: 0,
        answerMs: null,
        openUntil: null
      }
    )
  }

  /** One more delivery, or one less, is leased and not answered. */
  count(receiver: Receiver, by: 1 | -1): void {
    const record = this.of(receiver)
    this.#keep({ ...record, leased: record.leased + by })
  }

  /** Records what one more attempt said, and how long it took. */
  record(receiver: Receiver, signal: AttemptSignal, durationMs: number): ReceiverRecord {
    const record = this.of(receiver)
    return this.#keep({
      ...record,
      concurrency: concurrencyAfter(record.concurrency, signal),
      failures: failuresAfter(record.failures, signal),
      answerMs: signal === "unreached" ? record.answerMs : answerMsAfter(record.answerMs, durationMs)
    })
  }

  /** Its breaker is open until then, or closed, and its failures count from zero. */
  breakerMoved(receiver: Receiver, openUntil: DateTime.Utc | null): void {
    this.#keep({ ...this.of(receiver), openUntil, failures: 0 })
    this.disappointed(receiver)
  }

  /** It is slower than it was: nothing more waits for it until it answers. */
  disappointed(receiver: Receiver): void {
    this.#keep({ ...this.of(receiver), answerMs: null })
  }

  /**
   * The room of those that have more or less of it than an unknown one. While many
   * are busy, none has more than twice its share of what a claim takes: the store
   * looks at as many of each as it has room for.
   */
  rooms(
    mayHave: (record: ReceiverRecord) => boolean,
    claimMax: number
  ): ReadonlyArray<Receiver & { readonly room: number }> {
    const records = [...this.#records.values()]
    const busy = records.filter(({ leased }) => leased > 0).length
    const share = Math.max(concurrencyMax, Math.ceil((2 * claimMax) / Math.max(1, busy)))
    return records
      .map((record) => ({
        ...record.receiver,
        room: mayHave(record) ? Math.min(share, Math.max(0, windowOf(record) - record.leased)) : 0
      }))
      .filter(({ room }) => room !== concurrencyStart)
  }

  #keep(record: ReceiverRecord): ReceiverRecord {
    const key = receiverKey(record.receiver)
    this.#records.delete(key)
    this.#records.set(key, record)
    if (this.#records.size > rememberedMax) this.#forgetOne()
    return record
  }

  #forgetOne(): void {
    for (const [key, { leased }] of this.#records) {
      if (leased > 0) continue
      this.#records.delete(key)
      return
    }
  }
}

/** What this process has seen of the receivers that it sent to lately. What it has forgotten, it learns again. */
import { type Receiver, receiverKey } from "@runhook/core/domain/delivery/Receiver"
import type * as DateTime from "effect/DateTime"
import {
  type AdaptiveConcurrency,
  concurrencyAfter,
  concurrencyStart,
  initialConcurrency
} from "./AdaptiveConcurrency.ts"
import type { AttemptSignal } from "./AttemptSignal.ts"
import { failuresAfter } from "./CircuitBreaker.ts"

export interface ReceiverRecord {
  readonly receiver: Receiver
  /** Deliveries of this process to it. */
  readonly inFlight: number
  readonly concurrency: AdaptiveConcurrency
  /** Failures in a row that this process has seen. */
  readonly failures: number
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
        inFlight: 0,
        concurrency: initialConcurrency,
        failures: 0,
        openUntil: null
      }
    )
  }

  /** One more delivery, or one less, is in flight. */
  count(receiver: Receiver, by: 1 | -1): void {
    const record = this.of(receiver)
    this.#keep({ ...record, inFlight: record.inFlight + by })
  }

  /** Records what one more attempt said. */
  record(receiver: Receiver, signal: AttemptSignal): ReceiverRecord {
    const record = this.of(receiver)
    return this.#keep({
      ...record,
      concurrency: concurrencyAfter(record.concurrency, signal),
      failures: failuresAfter(record.failures, signal)
    })
  }

  /** Its breaker is open until then, or closed, and its failures count from zero. */
  breakerMoved(receiver: Receiver, openUntil: DateTime.Utc | null): void {
    this.#keep({ ...this.of(receiver), openUntil, failures: 0 })
  }

  /** The room of those that have more or less of it than an unknown one. */
  rooms(): ReadonlyArray<Receiver & { readonly room: number }> {
    return [...this.#records.values()]
      .map(({ concurrency, inFlight, receiver }) => ({
        ...receiver,
        room: Math.max(0, concurrency.limit - inFlight)
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
    for (const [key, { inFlight }] of this.#records) {
      if (inFlight > 0) continue
      this.#records.delete(key)
      return
    }
  }
}

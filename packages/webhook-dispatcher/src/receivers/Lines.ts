/**
 * Where leased deliveries wait until they are sent: a line for each receiver.
 * The first of a line that is not behind another event goes when there is a
 * place for it, at its receiver, for its account and in the process. What
 * cannot be sent in its order, or not soon, is given back unsent.
 */
import type { LeasedDeliveries } from "../LeasedDeliveries.ts"
import type { InFlight, Receiver } from "./Receiver.ts"
import { quota, type Receivers } from "./Receivers.ts"

export interface LinesOptions {
  /** Deliveries sent at once. */
  readonly places: number
  readonly receivers: Receivers
  readonly leased: LeasedDeliveries
  /** How many wait, to be kept up. */
  readonly waiting: { count: number }
  /** Whether it has waited so long that it is left to others. */
  readonly isStale: (inFlight: InFlight) => boolean
  readonly send: (inFlight: InFlight) => void
  readonly giveBack: (inFlight: InFlight) => void
}

export class Lines {
  readonly #options: LinesOptions
  readonly #accountMax: number
  /** Receivers with waiting deliveries, in turns: the one that was served last comes last. */
  readonly #receivers = new Set<Receiver>()
  readonly #due = new Set<Receiver>()
  #sending = 0
  #isServing = false
  #isOpen = true

  constructor(options: LinesOptions) {
    this.#options = options
    this.#accountMax = quota(options.places, 4)
  }

  /** It waits for its turn, which may come at once. */
  join(inFlight: InFlight): void {
    const { receiver } = inFlight
    receiver.waiting.add(inFlight)
    this.#receivers.add(receiver)
    this.#options.waiting.count += 1
    this.#serve([receiver])
    if (!this.#isOpen) this.#giveBackAll(receiver)
  }

  /** Whether another waits for this one to be settled. */
  isAwaited({ delivery: { id }, receiver }: InFlight): boolean {
    for (const each of receiver.waiting) if (each.behind === id) return true
    return false
  }

  /** The receiver has answered, and its place is free. An answer that stops the receiver stops its line. */
  answered(inFlight: InFlight, isStop: boolean): void {
    const { receiver } = inFlight
    if (isStop) receiver.stopping.add(inFlight)
    this.#options.receivers.answered(inFlight)
    if (!receiver.sending.delete(inFlight)) return
    const wasShared = !this.#hasPlace(receiver)
    this.#sending -= 1
    receiver.account.sending -= 1
    this.#serve(wasShared ? this.#receivers : [receiver])
  }

  /** Its result is stored, or lost. What waited behind it goes, or goes back. */
  ended(inFlight: InFlight): void {
    const { receiver } = inFlight
    this.#options.receivers.leave(inFlight)
    this.answered(inFlight, false)
    if (receiver.stopping.delete(inFlight)) this.#giveBackAll(receiver)
    if (this.isAwaited(inFlight)) this.#sweepLine(receiver)
    this.#serve([receiver])
  }

  /** Gives back deliveries that have waited too long. */
  sweep(): void {
    for (const receiver of this.#receivers) this.#sweepLine(receiver)
    this.#serve(this.#receivers)
  }

  /** From now on nothing waits. */
  close(): void {
    this.#isOpen = false
    for (const receiver of this.#receivers) this.#giveBackAll(receiver)
  }

  /** Sends what may be sent. Sending may end at once, and ask for this again. */
  #serve(receivers: Iterable<Receiver>): void {
    for (const receiver of receivers) this.#due.add(receiver)
    if (this.#isServing) return
    this.#isServing = true
    for (const receiver of this.#due) {
      this.#due.delete(receiver)
      this.#serveLine(receiver)
    }
    this.#isServing = false
  }

  #serveLine(receiver: Receiver): void {
    for (const inFlight of receiver.waiting) {
      if (!this.#hasPlace(receiver) || receiver.sending.size >= receiver.concurrency.limit) return
      if (this.#mayGo(inFlight)) this.#send(inFlight)
    }
  }

  #hasPlace({ account }: Receiver): boolean {
    return this.#sending < this.#options.places && account.sending < this.#accountMax
  }

  #mayGo(inFlight: InFlight): boolean {
    const { isStale, leased } = this.#options
    const isStopped = inFlight.receiver.stopping.size > 0 && inFlight.probeOf === null
    return !isStopped && leased.standingBehind(inFlight.behind) === "free" && !isStale(inFlight)
  }

  #send(inFlight: InFlight): void {
    const { receiver } = inFlight
    this.#leave(inFlight)
    if (this.#receivers.delete(receiver)) this.#receivers.add(receiver)
    receiver.sending.add(inFlight)
    receiver.account.sending += 1
    this.#sending += 1
    this.#options.send(inFlight)
  }

  #sweepLine({ waiting }: Receiver): void {
    const { isStale, leased } = this.#options
    for (const each of waiting)
      if (leased.standingBehind(each.behind) === "broken" || isStale(each)) this.#giveBack(each)
  }

  #giveBackAll({ waiting }: Receiver): void {
    for (const each of waiting) if (each.probeOf === null || !this.#isOpen) this.#giveBack(each)
  }

  #giveBack(inFlight: InFlight): void {
    const { giveBack, isStale, receivers } = this.#options
    this.#leave(inFlight)
    if (isStale(inFlight)) inFlight.receiver.answerMs = null
    giveBack(inFlight)
    receivers.leave(inFlight)
  }

  #leave(inFlight: InFlight): void {
    const { receiver } = inFlight
    receiver.waiting.delete(inFlight)
    if (receiver.waiting.size === 0) this.#receivers.delete(receiver)
    this.#options.waiting.count -= 1
  }
}

/**
 * Where leased deliveries wait until they are sent: a line for each receiver.
 * The first of a line that is not behind another event goes when there is a
 * place for it, at its receiver, for its account and in the process. What
 * cannot be sent in its order, or not soon, is given back unsent.
 */
import { receiverKey } from "@runhook/core/domain/delivery/Receiver"
import type { AccountId } from "@runhook/core/domain/Ids"
import type { Standing } from "../LeasedDeliveries.ts"
import { Counts } from "./Counts.ts"
import type { InFlightDelivery } from "./Permit.ts"
import { quotasOf, type Quotas } from "./Quotas.ts"

interface Line {
  /** As they came: of one execution the earlier event first. */
  readonly waiting: Set<InFlightDelivery>
  readonly sending: Set<InFlightDelivery>
  /** Those whose answers stop the receiver. Nothing else is sent until that is stored. */
  readonly stopping: Set<InFlightDelivery>
}

export interface LinesOptions {
  /** Deliveries sent at once. */
  readonly places: number
  /** Of them, to the receiver of this one. */
  readonly limitOf: (inFlight: InFlightDelivery) => number
  readonly standingOf: (inFlight: InFlightDelivery) => Standing
  /** Whether it has waited for so long that it is left to others. */
  readonly isStale: (inFlight: InFlightDelivery) => boolean
  readonly send: (inFlight: InFlightDelivery) => void
  readonly giveBack: (inFlight: InFlightDelivery) => void
}

export class Lines {
  readonly #options: LinesOptions
  readonly #quotas: Quotas
  /** In turns: the one that was served last comes last. */
  readonly #lines = new Map<string, Line>()
  readonly #due = new Set<Line>()
  readonly #accounts = new Counts<AccountId>()
  #sending = 0
  #isServing = false
  #isOpen = true

  constructor(options: LinesOptions) {
    this.#options = options
    this.#quotas = quotasOf(options.places)
  }

  /** It waits for its turn, which may come at once. */
  join(inFlight: InFlightDelivery): void {
    this.#lineOf(inFlight).waiting.add(inFlight)
    this.#serve([this.#lineOf(inFlight)])
    if (!this.#isOpen) this.#giveBackAll(this.#lineOf(inFlight))
  }

  /** Whether another waits for this one to be settled. */
  isAwaited({ delivery: { id }, permit }: InFlightDelivery): boolean {
    const waiting = this.#lines.get(receiverKey(permit.receiver))?.waiting ?? []
    for (const each of waiting) if (each.behind === id) return true
    return false
  }

  /** The receiver has answered, and its place is free. An answer that stops the receiver stops its line. */
  answered(inFlight: InFlightDelivery, isStop: boolean): void {
    if (isStop) this.#lineOf(inFlight).stopping.add(inFlight)
    this.#leave(inFlight)
  }

  /** Its result is stored, or lost. What waited behind it goes, or goes back. */
  ended(inFlight: InFlightDelivery): void {
    this.#leave(inFlight)
    const line = this.#lineOf(inFlight)
    if (line.stopping.delete(inFlight)) this.#giveBackAll(line)
    if (this.isAwaited(inFlight)) this.#sweepLine(line)
    this.#serve([line])
  }

  /** Gives back what has waited for too long, and forgets lines that are empty. */
  sweep(): void {
    for (const [key, line] of this.#lines) {
      this.#sweepLine(line)
      if (line.waiting.size + line.sending.size + line.stopping.size === 0) this.#lines.delete(key)
    }
    this.#serve(this.#lines.values())
  }

  /** From now on nothing waits. */
  close(): void {
    this.#isOpen = false
    for (const line of this.#lines.values()) this.#giveBackAll(line)
  }

  #leave(inFlight: InFlightDelivery): void {
    const { accountId } = inFlight.permit.receiver
    const line = this.#lineOf(inFlight)
    if (!line.sending.delete(inFlight)) return
    const wasShared = !this.#hasPlace(accountId)
    this.#sending -= 1
    this.#accounts.add(accountId, -1)
    this.#serve(wasShared ? this.#lines.values() : [line])
  }

  /** Sends what may be sent. Sending may end at once, and ask for this again. */
  #serve(lines: Iterable<Line>): void {
    for (const line of lines) this.#due.add(line)
    if (this.#isServing) return
    this.#isServing = true
    for (const line of this.#due) {
      this.#due.delete(line)
      this.#serveLine(line)
    }
    this.#isServing = false
  }

  #serveLine(line: Line): void {
    for (const inFlight of line.waiting) {
      if (!this.#hasPlace(inFlight.permit.receiver.accountId)) return
      if (line.sending.size >= this.#options.limitOf(inFlight)) return
      if (this.#mayGo(line, inFlight)) this.#send(line, inFlight)
    }
  }

  #mayGo({ stopping }: Line, inFlight: InFlightDelivery): boolean {
    const { isStale, standingOf } = this.#options
    const isStopped = stopping.size > 0 && inFlight.probeOf === null
    return !isStopped && standingOf(inFlight) === "free" && !isStale(inFlight)
  }

  #send(line: Line, inFlight: InFlightDelivery): void {
    const key = receiverKey(inFlight.permit.receiver)
    this.#lines.delete(key)
    this.#lines.set(key, line)
    line.waiting.delete(inFlight)
    line.sending.add(inFlight)
    this.#sending += 1
    this.#accounts.add(inFlight.permit.receiver.accountId, 1)
    this.#options.send(inFlight)
  }

  #hasPlace(account: AccountId): boolean {
    return this.#sending < this.#quotas.places && this.#accounts.of(account) < this.#quotas.account
  }

  #sweepLine(line: Line): void {
    const { isStale, standingOf } = this.#options
    for (const each of line.waiting)
      if (standingOf(each) === "broken" || isStale(each)) this.#giveBack(line, each)
  }

  #giveBackAll(line: Line): void {
    for (const each of line.waiting) if (each.probeOf === null || !this.#isOpen) this.#giveBack(line, each)
  }

  #giveBack(line: Line, inFlight: InFlightDelivery): void {
    line.waiting.delete(inFlight)
    this.#options.giveBack(inFlight)
  }

  #lineOf({ permit: { receiver } }: InFlightDelivery): Line {
    const key = receiverKey(receiver)
    const known = this.#lines.get(key)
    if (known !== undefined) return known
    const line: Line = { waiting: new Set(), sending: new Set(), stopping: new Set() }
    this.#lines.set(key, line)
    return line
  }
}

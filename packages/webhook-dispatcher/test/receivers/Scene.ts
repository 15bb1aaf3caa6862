/** The lines of a dispatcher at a store, where everything takes the time that a test gives it. */
import type { EventId } from "@runhook/core/shared/Ids"
import { LeasedDeliveries } from "../../src/LeasedDeliveries.ts"
import { type InFlight, inFlightOf, type Permit } from "../../src/receivers/Receiver.ts"
import { windowOf } from "../../src/receivers/LeaseWindow.ts"
import { Lines } from "../../src/receivers/Lines.ts"
import { quota, Receivers } from "../../src/receivers/Receivers.ts"
import { inFlightTo, makeEventId, named, ofAnother } from "./InFlights.ts"
import { type Event, type Leased, LeasedStore } from "./LeasedStore.ts"

export const places = 8
export const heldMax = 24
const leaseMs = 60_000

/** Where the events of each execution go. */
const targets = [named(0), named(0), named(1), ofAnother]

export class Scene {
  readonly store = new LeasedStore()
  readonly sent: Array<EventId> = []
  /** What must not be, as sentences. */
  readonly faults: Array<string> = []
  readonly #receivers = new Receivers({ places, heldMax })
  readonly #leased = new LeasedDeliveries(leaseMs)
  readonly #waiting = { count: 0 }
  readonly #answersOnTheirWay: Array<() => void> = []
  readonly #sending: Array<InFlight> = []
  readonly #results: Array<() => void> = []
  readonly #returns: Array<InFlight> = []
  #permits: ReadonlyArray<Permit> = []
  #isClaiming = false
  #staleBefore = -1
  #clock = 0
  readonly #lines = new Lines({
    places,
    receivers: this.#receivers,
    leased: this.#leased,
    waiting: this.#waiting,
    isStale: ({ leasedAt }) => leasedAt <= this.#staleBefore,
    send: (inFlight) => this.#send(inFlight),
    giveBack: (inFlight) => this.#giveBack(inFlight)
  })

  /** A change causes an event, which is handed over if there is a place and the store allows it. The dispatcher hears of it later. */
  cause(pick: number): void {
    const execution = pick % targets.length
    const revision = this.store.events.filter((each) => each.execution === execution).length + 1
    const id = makeEventId(execution * 1_000 + revision)
    const name = targets[execution] ?? named(0)
    const event: Event = { id, execution, revision, receiver: name, attempts: 0, state: "due" }
    this.store.events.push(event)
    const receiver = this.#receivers.at(name)
    const place = pick % 5 === 0 ? null : this.#receivers.reservePlace(receiver)
    if (place === null) return
    this.#permits = [...this.#permits, place]
    this.#check(receiver.unanswered <= windowOf(receiver), "a line is longer than its window")
    this.#leased.expect(id)
    const leased = this.store.lease(event)
    this.#answersOnTheirWay.push(() => {
      if (leased === undefined || pick % 10 === 1) this.#receivers.leave(place)
      else {
        const inFlight = this.#inFlight(leased, true)
        this.#receivers.takePlace(place, inFlight)
        this.#begin(inFlight)
      }
      this.#leased.expectNoMore(id)
    })
  }

  claim(pick: number): void {
    if (this.#isClaiming) return
    this.#isClaiming = true
    const room = this.#receivers.beginClaim()
    const claimed = this.store.claim(room)
    this.#answersOnTheirWay.push(() => {
      this.#isClaiming = false
      if (pick % 10 === 1) return
      const inFlight = claimed.map((each) => this.#inFlight(each, false))
      const placed = this.#receivers.endClaim(room, inFlight)
      for (const each of inFlight) if (!placed.has(each)) this.#giveBack(each)
      for (const each of placed) this.#begin(each)
    })
  }

  hear(pick: number): void {
    this.#answersOnTheirWay.splice(pick % Math.max(1, this.#answersOnTheirWay.length), 1)[0]?.()
  }

  /** A receiver answers: it takes the event, fails for good, is to be asked again, or asks for a pause. Or all that is broken off. */
  answer(pick: number): void {
    const [inFlight] = this.#sending.splice(pick % Math.max(1, this.#sending.length), 1)
    const event = this.store.events.find(({ id }) => id === inFlight?.delivery.id)
    if (inFlight === undefined || event === undefined) return
    const isFinal = pick % 3 !== 0
    inFlight.receiver.record(isFinal ? "accepted" : "overloaded", pick)
    if (pick % 50 === 7) {
      if (event.state === "leased") event.state = "due"
      return this.#lines.ended(inFlight)
    }
    this.#lines.answered(inFlight, pick % 9 === 0)
    this.#results.push(() => {
      if (event.state === "leased") event.state = isFinal ? "settled" : "due"
      // The dispatcher hears of it later still; of some never, as if the store had refused them.
      this.#results.push(() => {
        if (pick % 20 !== 3) this.#leased.ended(inFlight, { at: 0, isFinal })
        this.#lines.ended(inFlight)
      })
    })
  }

  settle(pick: number): void {
    this.#results.splice(pick % Math.max(1, this.#results.length), 1)[0]?.()
  }

  giveBack(): void {
    const returned = this.#returns.splice(0)
    const ids = new Set(returned.map(({ delivery }) => delivery.id))
    this.store.giveBack((id) => ids.has(id))
    for (const each of returned) this.#leased.ended(each, { at: 0, isFinal: false })
  }

  /** Whatever is leased in vain is given back, as after a claim whose answer was lost. */
  search(): void {
    if (this.#isClaiming) return
    const known = new Set(this.#leased.known(0))
    this.store.giveBack((id) => !known.has(id))
  }

  wait(): void {
    this.#staleBefore = this.#clock++ - 20
    this.#lines.sweep()
  }

  /** Another dispatcher sends something, or has sent it. */
  interfere(pick: number): void {
    const event = this.store.events[pick % Math.max(1, this.store.events.length)]
    if (event?.state === "taken") event.state = pick % 2 === 0 ? "settled" : "due"
    else if (event?.state === "due" && this.store.pendingBefore(event).length === 0) event.state = "taken"
  }

  /** Whether all bounds are kept, and what receivers and accounts hold is counted as it is. */
  look(): void {
    const held = this.#permits.filter(({ hasLeft }) => !hasLeft)
    this.#permits = held
    const unanswered = held.filter(({ isAnswered }) => !isAnswered)
    this.#check(held.length <= heldMax, "more is held than may be")
    for (const receiver of targets.map((name) => this.#receivers.at(name))) {
      const { account } = receiver
      const isOwn = (each: Permit) => each.receiver === receiver
      const units = unanswered.filter((each) => each.receiver.account === account).length
      this.#check(units <= quota(heldMax, 4), "an account has more than its share")
      this.#check(account.units === units, "an account is miscounted")
      this.#check(receiver.held === held.filter(isOwn).length, "what is held is miscounted")
      this.#check(receiver.unanswered === unanswered.filter(isOwn).length, "answers are miscounted")
    }
    const [retries, handedOver] = [
      unanswered.filter(({ isRetry }) => isRetry),
      unanswered.filter(({ isHandedOver }) => isHandedOver)
    ]
    this.#check(retries.length <= quota(places, 2), "retries take all places")
    this.#check(handedOver.length <= quota(heldMax, 2), "what is handed over takes all there is")
  }

  /** Everything comes to its end, and nothing is left of it. */
  end(): void {
    this.#lines.close()
    for (const list of [this.#answersOnTheirWay, this.#results]) for (const each of list) each()
    while (this.#sending.length + this.#results.length > 0) {
      this.answer(2)
      this.settle(0)
    }
    this.giveBack()
    this.look()
    const { retries, total } = this.#receivers.beginClaim()
    this.#check(total === places && retries === quota(places, 2), "room is lost")
    this.#check(this.#permits.length === 0, "a place is kept for ever")
    this.#check(this.#waiting.count === 0, "what waits is miscounted")
    for (const name of targets) {
      const { account, held, sending, stopping, unanswered, waiting } = this.#receivers.at(name)
      const left = held + unanswered + sending.size + stopping.size + waiting.size
      this.#check(left + account.units + account.sending === 0, "a receiver is left with something")
    }
    this.#check(this.#leased.known(leaseMs + this.#clock).length === 0, "a lease is remembered for ever")
  }

  #check(isSo: boolean, fault: string): void {
    if (!isSo) this.faults.push(fault)
  }

  #inFlight({ behind, event }: Leased, isHandedOver: boolean): InFlight {
    const receiver = this.#receivers.at(event.receiver)
    const { delivery } = inFlightTo(receiver, {
      number: event.execution * 1_000 + event.revision,
      isRetry: event.attempts > 1
    })
    const claimed = { delivery, behind, probeOf: null }
    return inFlightOf(claimed, { receiver, isHandedOver, leasedAt: this.#clock })
  }

  #begin(inFlight: InFlight): void {
    this.#permits = [...this.#permits, inFlight]
    this.#leased.hold(inFlight)
    this.#lines.join(inFlight)
  }

  #giveBack(inFlight: InFlight): void {
    inFlight.stage = "returning"
    this.#leased.hold(inFlight)
    this.#returns.push(inFlight)
  }

  #send(inFlight: InFlight): void {
    const { receiver } = inFlight
    const event = this.store.events.find(({ id }) => id === inFlight.delivery.id)
    inFlight.stage = "sent"
    this.sent.push(inFlight.delivery.id)
    this.#sending.push(inFlight)
    const isEarly = event !== undefined && this.store.pendingBefore(event).length > 0
    this.#check(!isEarly, `${inFlight.delivery.id} is sent before an earlier event was settled for good`)
    this.#check(receiver.sending.size <= receiver.concurrency.limit, "a receiver gets too much at once")
    this.#check(this.#sending.length <= places, "more is sent than there are places")
    this.#check(
      this.#sending.filter((each) => each.receiver.account === receiver.account).length <= quota(places, 4),
      "an account has more than its share of the places"
    )
  }
}

import { assert, describe, it } from "@effect/vitest"
import { newDelivery } from "@runhook/core/domain/delivery/Delivery"
import { ApiKeyId, EventId, ExecutionId } from "@runhook/core/domain/Ids"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { LeasedDeliveries } from "../../src/LeasedDeliveries.ts"
import { Lines } from "../../src/receivers/Lines.ts"
import type { InFlightDelivery } from "../../src/receivers/Permit.ts"
import { type Event, type Leased, LeasedStore } from "./LeasedStore.ts"
import { accountId, aPermit } from "./Permits.ts"

const seeds = 400
const movesPerSeed = 400
const executions = 3
const at = DateTime.makeUnsafe(0)

/** Numbers that look random and are the same for the same seed. */
const random = (seed: number) => {
  let state = seed * 2_654_435_761
  return (below: number): number => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

const uuid = (number: number) => `00000000-0000-7000-8000-${number.toString().padStart(12, "0")}`

/** The lines of a dispatcher at a store, where everything takes the time that the test gives it. */
class Scene {
  readonly store = new LeasedStore()
  readonly sent: Array<EventId> = []
  /** Sent before an earlier event was settled for good. */
  readonly outOfOrder: Array<EventId> = []
  readonly #leased = new LeasedDeliveries(Duration.minutes(1))
  readonly #answersOnTheirWay: Array<() => void> = []
  readonly #sending: Array<InFlightDelivery> = []
  readonly #results: Array<() => void> = []
  readonly #returns: Array<EventId> = []
  #isClaiming = false
  #staleBefore = -1
  #clock = 0
  readonly #lines = new Lines({
    places: 16,
    limitOf: () => 2,
    standingOf: ({ behind }) => this.#leased.standingBehind(behind),
    isStale: ({ leasedAt }) => leasedAt.epochMilliseconds <= this.#staleBefore,
    send: (inFlight) => this.#send(inFlight),
    giveBack: ({ delivery }) => {
      this.#leased.ended(delivery, false)
      this.#leased.returning(delivery.id)
      this.#returns.push(delivery.id)
    }
  })

  /** A change causes an event, which is handed over if the store allows it. The dispatcher hears of it later. */
  cause(pick: number): void {
    const execution = pick % executions
    const revision = this.store.events.filter((each) => each.execution === execution).length + 1
    const event: Event = {
      id: EventId.make(uuid(execution * 1_000 + revision)),
      execution,
      revision,
      state: "due"
    }
    this.store.events.push(event)
    if (pick % 4 === 0) return
    this.#leased.expect(event.id)
    const leased = this.store.lease(event)
    this.#answersOnTheirWay.push(() => {
      if (leased !== undefined && pick % 10 !== 1) this.#begin(leased)
      this.#leased.expectNoMore(event.id)
    })
  }

  claim(pick: number): void {
    if (this.#isClaiming) return
    this.#isClaiming = true
    const claimed = this.store.claim(1 + (pick % 5))
    this.#answersOnTheirWay.push(() => {
      this.#isClaiming = false
      if (pick % 10 !== 1) for (const each of claimed) this.#begin(each)
    })
  }

  hear(pick: number): void {
    this.#answersOnTheirWay.splice(pick % Math.max(1, this.#answersOnTheirWay.length), 1)[0]?.()
  }

  /** A receiver answers: it takes the event, fails for good, is to be asked again, or asks for a pause. */
  answer(pick: number): void {
    const [inFlight] = this.#sending.splice(pick % Math.max(1, this.#sending.length), 1)
    const event = this.store.events.find(({ id }) => id === inFlight?.delivery.id)
    if (inFlight === undefined || event === undefined) return
    const isFinal = pick % 3 !== 0
    this.#lines.answered(inFlight, pick % 9 === 0)
    this.#results.push(() => {
      if (event.state === "leased") event.state = isFinal ? "settled" : "due"
      // The dispatcher hears of it later still; of some never, as if the store had refused them.
      this.#results.push(() => {
        if (pick % 20 !== 3) this.#leased.ended(inFlight.delivery, isFinal)
        this.#lines.ended(inFlight)
      })
    })
  }

  settle(pick: number): void {
    this.#results.splice(pick % Math.max(1, this.#results.length), 1)[0]?.()
  }

  giveBack(): void {
    const ids = new Set(this.#returns.splice(0))
    this.store.giveBack((id) => ids.has(id))
    this.#leased.returned(ids)
  }

  /** Whatever is leased in vain is given back, as after a claim whose answer was lost. */
  search(): void {
    if (this.#isClaiming) return
    const known = new Set(this.#leased.known(at))
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

  #begin({ behind, event }: Leased): void {
    const subject = { id: event.id, accountId, apiKeyId: ApiKeyId.make(uuid(1)), revision: event.revision }
    const executionId = ExecutionId.make(uuid(event.execution))
    const rest = {
      executionId,
      type: "webhook.test",
      url: "",
      requestId: "",
      reference: null,
      body: ""
    } as const
    const delivery = newDelivery({ ...subject, ...rest }, at)
    this.#leased.began(delivery, at)
    const leasedAt = DateTime.makeUnsafe(this.#clock)
    this.#lines.join({ delivery, behind, probeOf: null, permit: aPermit(), leasedAt })
  }

  #send(inFlight: InFlightDelivery): void {
    const event = this.store.events.find(({ id }) => id === inFlight.delivery.id)
    this.sent.push(inFlight.delivery.id)
    if (event !== undefined && this.store.pendingBefore(event).length > 0) this.outOfOrder.push(event.id)
    this.#sending.push(inFlight)
  }
}

const moves = [
  "cause",
  "claim",
  "claim",
  "hear",
  "hear",
  "answer",
  "answer",
  "settle",
  "settle",
  "settle",
  "giveBack",
  "search",
  "wait",
  "interfere"
] as const

describe("Lines: the order of an execution's events", () => {
  it("is kept however claims, events that are handed over, results and returns follow each other", () => {
    let sent = 0
    for (let seed = 1; seed <= seeds; seed++) {
      const pick = random(seed)
      const scene = new Scene()
      for (let move = 0; move < movesPerSeed; move++) scene[moves[pick(moves.length)] ?? "hear"](pick(1_000))
      sent += scene.sent.length
      assert.deepStrictEqual(scene.outOfOrder, [], `seed ${seed}`)
    }
    assert.isAbove(sent, seeds * 10)
  })
})

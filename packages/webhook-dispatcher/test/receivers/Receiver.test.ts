import { assert, describe, it } from "@effect/vitest"
import { concurrencyStart } from "../../src/receivers/AdaptiveConcurrency.ts"
import { Receivers } from "../../src/receivers/Receivers.ts"
import { named } from "./InFlights.ts"

const someReceivers = () => new Receivers({ places: 256, heldMax: 1_024 })

describe("Receiver", () => {
  it("begins with the usual concurrency and without failures", () => {
    const { concurrency, failures } = someReceivers().at(named(0))

    assert.deepStrictEqual([concurrency.limit, failures], [concurrencyStart, 0])
  })

  it("has nothing to do with others", () => {
    const receivers = someReceivers()

    receivers.at(named(0)).record("overloaded", 1_000)

    assert.deepStrictEqual([receivers.at(named(0)).failures, receivers.at(named(1)).failures], [1, 0])
  })

  it("counts failures anew once its breaker opens or closes, and keeps its limit", () => {
    const receiver = someReceivers().at(named(0))
    receiver.record("overloaded", 1_000)

    receiver.breakerMoved(null)

    assert.deepStrictEqual([receiver.concurrency.limit, receiver.failures], [2, 0])
  })

  it("goes by its answers, and not by attempts that did not reach it", () => {
    const receiver = someReceivers().at(named(0))
    receiver.record("accepted", 800)

    receiver.record("unreached", 0)

    assert.strictEqual(receiver.answerMs, 800)
  })
})

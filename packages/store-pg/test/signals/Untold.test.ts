import { assert, describe, it } from "@effect/vitest"
import { ExecutionId } from "@runhook/core/domain/Ids"
import type { Topic } from "@runhook/core/ports/Signals"
import { Untold } from "@runhook/store-pg/signals/Untold"
import * as Schema from "effect/Schema"
import { AnyTopic, topicOf } from "./AnyTopic.ts"

const Batches = Schema.Array(Schema.Array(AnyTopic))

const aTopic = (index: number): Topic =>
  `execution:${ExecutionId.make(`00000000-0000-7000-8000-${String(index).padStart(12, "0")}`)}`

describe("Untold", () => {
  it.prop("gives each topic once, and nothing twice", [Batches], ([drawn]) => {
    const batches = drawn.map((topics) => topics.map(topicOf))
    const untold = new Untold(1_000_000)
    for (const batch of batches) untold.add(batch)

    const [taken, rest] = [untold.take(), untold.take()]

    // What comes after "anything" adds nothing to it.
    if (taken.has("anything")) assert.isTrue(batches.flat().includes("anything"))
    else assert.deepStrictEqual([...taken].toSorted(), [...new Set(batches.flat())].toSorted())
    assert.strictEqual(rest.size, 0)
  })

  it("says of too many topics only that there was something", () => {
    const untold = new Untold(10)
    untold.add(Array.from({ length: 10 }, (_, index) => aTopic(index)))
    const allowed = untold.take().size
    untold.add(Array.from({ length: 11 }, (_, index) => aTopic(index)))
    untold.add([aTopic(12)])

    const taken = untold.take()

    assert.strictEqual(allowed, 10)
    assert.deepStrictEqual([...taken], ["anything"])
  })

  it("begins anew after a flood was told of", () => {
    const untold = new Untold(1)
    untold.add([aTopic(1), aTopic(2)])
    untold.take()
    untold.add([aTopic(3)])

    const taken = untold.take()

    assert.deepStrictEqual([...taken], [aTopic(3)])
  })
})

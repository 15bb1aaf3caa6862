import { assert, describe, it } from "@effect/vitest"
import { type ChangedKind, wordOf } from "@runhook/core/accounts/AccountChange"
import { AccountId, ExecutionId } from "@runhook/core/shared/Ids"
import type { Word } from "@runhook/store-pg/signals/NotifyPayload"
import { PendingNotifications } from "@runhook/store-pg/signals/PendingNotifications"
import * as Schema from "effect/Schema"
import { AnyTopic, topicOf } from "./AnyTopic.ts"

const Batches = Schema.Array(Schema.Array(AnyTopic))

const makeTopic = (index: number): Word =>
  `execution:${ExecutionId.make(`00000000-0000-7000-8000-${String(index).padStart(12, "0")}`)}`

describe("PendingNotifications", () => {
  it.prop("gives each topic once, and nothing twice", [Batches], ([drawn]) => {
    const batches = drawn.map((topics) => topics.map(topicOf))
    const pending = new PendingNotifications({ wordsMax: 1_000_000, changesOfAccountMax: 1_000_000 })
    for (const batch of batches) pending.add(batch)

    const [taken, rest] = [pending.take(), pending.take()]

    // What comes after "anything" adds nothing to it.
    if (taken.has("anything")) assert.isTrue(batches.flat().includes("anything"))
    else assert.deepStrictEqual([...taken].toSorted(), [...new Set(batches.flat())].toSorted())
    assert.strictEqual(rest.size, 0)
  })

  it("says of too many topics only that there was something", () => {
    const pending = new PendingNotifications({ wordsMax: 10, changesOfAccountMax: 10 })
    pending.add(Array.from({ length: 10 }, (_, index) => makeTopic(index)))
    const allowed = pending.take().size
    pending.add(Array.from({ length: 11 }, (_, index) => makeTopic(index)))
    pending.add([makeTopic(12)])

    const taken = pending.take()

    assert.strictEqual(allowed, 10)
    assert.deepStrictEqual([...taken], ["anything"])
  })

  it("begins anew after a flood was told of", () => {
    const pending = new PendingNotifications({ wordsMax: 1, changesOfAccountMax: 1 })
    pending.add([makeTopic(1), makeTopic(2)])
    pending.take()
    pending.add([makeTopic(3)])

    const taken = pending.take()

    assert.deepStrictEqual([...taken], [makeTopic(3)])
  })

  it("says of many changes of an account what they are of, and goes on for another account", () => {
    const pending = new PendingNotifications({ wordsMax: 100, changesOfAccountMax: 3 })
    const [one, other] = [makeAccount(1), makeAccount(2)]
    pending.add([1, 2, 3, 4, 5].map((index) => makeChange(one, "execution", index)))
    pending.add([makeChange(one, "delivery", 6), makeChange(other, "execution", 7)])

    const taken = pending.take()

    assert.deepStrictEqual(
      [...taken],
      [
        ...[1, 2, 3].map((index) => makeChange(one, "execution", index)),
        wordOf({ accountId: one, kind: "execution", thing: null }),
        wordOf({ accountId: one, kind: "delivery", thing: null }),
        makeChange(other, "execution", 7)
      ]
    )
  })
})

const makeAccount = (index: number) =>
  AccountId.make(`00000000-0000-7000-9000-${String(index).padStart(12, "0")}`)

const makeChange = (accountId: AccountId, kind: ChangedKind, index: number) =>
  wordOf({
    accountId,
    kind,
    thing: {
      id: `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`,
      state: "queued",
      isNew: true
    }
  })

import { assert, describe, it } from "@effect/vitest"
import { type ClaimRoom, roomFor } from "@runhook/core/ports/DeliveryStore"
import { Backlog } from "../../src/receivers/Backlog.ts"
import { accountId, anotherAccountId, aPassage, receiver } from "./Passages.ts"

const ofAnother = { accountId: anotherAccountId, origin: "http://127.0.0.1:1000" }

const backlogAfter = (room: Partial<ClaimRoom>, takenBy: ReadonlyArray<number>) =>
  new Backlog(
    { ...roomFor(10), ...room },
    takenBy.map((number) => aPassage({ receiver: receiver(number) }))
  )

describe("Backlog", () => {
  it("is nobody's after a claim that had room for more", () => {
    assert.isFalse(backlogAfter({ receiver: 4 }, [0, 0, 1]).isOf(receiver(0)))
  })

  it("is a receiver's that took all its room, or had none", () => {
    const receivers = [
      { ...receiver(1), room: 1 },
      { ...receiver(2), room: 3 },
      { ...receiver(3), room: 0 }
    ]

    const backlog = backlogAfter({ receiver: 2, receivers }, [0, 0, 1, 2, 2])

    assert.deepStrictEqual(
      [0, 1, 2, 3, 4].map((number) => backlog.isOf(receiver(number))),
      [true, true, false, true, false]
    )
  })

  it("is an account's that took all its room, and nobody else's", () => {
    const backlog = backlogAfter({ account: 4, accounts: new Map([[accountId, 2]]) }, [0, 1])

    assert.deepStrictEqual([backlog.isOf(receiver(7)), backlog.isOf(ofAnother)], [true, false])
  })

  it("is everybody's when a claim took all the room that there was", () => {
    const [all, some] = [backlogAfter({ total: 2 }, [0, 1]), backlogAfter({ total: 2 }, [0])]

    assert.deepStrictEqual([all.isOf(ofAnother), some.isOf(ofAnother)], [true, false])
    assert.deepStrictEqual([all.waitsForAny, some.waitsForAny], [true, false])
  })

  it("is that of retries when they took all their room: then one of them has to end", () => {
    const backlog = new Backlog({ ...roomFor(10), retries: 1 }, [aPassage({ isRetry: true })])

    assert.deepStrictEqual(
      [aPassage({ isRetry: true }), aPassage()].map((passage) => backlog.waitsFor(passage)),
      [true, false]
    )
  })
})

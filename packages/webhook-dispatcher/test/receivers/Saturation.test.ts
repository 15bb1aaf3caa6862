import { assert, describe, it } from "@effect/vitest"
import { type ClaimRoom, roomFor } from "@runhook/core/ports/DeliveryStore"
import type { Permit } from "../../src/receivers/Permit.ts"
import { Saturation } from "../../src/receivers/Saturation.ts"
import { accountId, anotherAccountId, aPermit, receiver } from "./Permits.ts"

const ofAnother = { accountId: anotherAccountId, origin: "http://127.0.0.1:1000" }

const saturationAfter = (room: Partial<ClaimRoom>, takenBy: ReadonlyArray<number>) =>
  new Saturation(
    { ...roomFor(10), ...room },
    takenBy.map((number) => aPermit({ receiver: receiver(number) }))
  )

describe("Saturation", () => {
  it("is nobody's after a claim that had room for more", () => {
    assert.isFalse(saturationAfter({ receiver: 4 }, [0, 0, 1]).covers(receiver(0)))
  })

  it("is a receiver's that took all its room, or had none", () => {
    const receivers = [
      { ...receiver(1), room: 1 },
      { ...receiver(2), room: 3 },
      { ...receiver(3), room: 0 }
    ]

    const saturation = saturationAfter({ receiver: 2, receivers }, [0, 0, 1, 2, 2])

    assert.deepStrictEqual(
      [0, 1, 2, 3, 4].map((number) => saturation.covers(receiver(number))),
      [true, true, false, true, false]
    )
  })

  it("is an account's that took all its room, and nobody else's", () => {
    const saturation = saturationAfter({ account: 4, accounts: new Map([[accountId, 2]]) }, [0, 1])

    assert.deepStrictEqual([saturation.covers(receiver(7)), saturation.covers(ofAnother)], [true, false])
  })

  it("is everybody's when a claim took all the room that there was", () => {
    const [all, some] = [saturationAfter({ total: 2 }, [0, 1]), saturationAfter({ total: 2 }, [0])]

    assert.deepStrictEqual([all.covers(ofAnother), some.covers(ofAnother)], [true, false])
    assert.deepStrictEqual([all.isTotal, some.isTotal], [true, false])
  })

  it("is that of retries when they took all their room", () => {
    const after = (taken: ReadonlyArray<Permit>) => new Saturation({ ...roomFor(10), retries: 1 }, taken)

    assert.deepStrictEqual(
      [after([aPermit({ isRetry: true })]), after([aPermit()])].map(({ isOfRetries }) => isOfRetries),
      [true, false]
    )
  })
})

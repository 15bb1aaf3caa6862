import { assert, describe, it } from "@effect/vitest"
import { type Candidate, choose } from "@runhook/core/deliveries/claim/ClaimChoice"
import { receiverKey, untroubled } from "@runhook/core/deliveries/claim/Receiver"
import { AccountId, EventId } from "@runhook/core/shared/Ids"
import { type ClaimRoom, roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"

const idOf = (number: number): string => `0193a000-0000-7000-8000-${number.toString().padStart(12, "0")}`

const second = (number: number): DateTime.Utc => DateTime.makeUnsafe(number * 1_000)

const lease = Duration.seconds(45)
const at = second(10)

const anyOf = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Some = Schema.Array(
  Schema.Struct({
    account: anyOf(1),
    receiver: anyOf(2),
    dueAt: anyOf(14),
    isRetry: Schema.Boolean,
    isTried: Schema.Boolean
  })
)

const Room = Schema.Struct({ total: anyOf(6), retries: anyOf(3), account: anyOf(5), receiver: anyOf(4) })

const candidatesOf = (some: typeof Some.Type, state = untroubled): ReadonlyArray<Candidate> =>
  some.map((each, number) => ({
    ...state,
    ...each,
    id: EventId.make(idOf(number)),
    accountId: AccountId.make(idOf(each.account)),
    origin: `https://${each.receiver}.example`,
    dueAt: second(each.dueAt)
  }))

/** How full the room is with these: of all, of retries, of each account, of each receiver. */
const isWithin = (chosen: ReadonlyArray<Candidate>, room: ClaimRoom): boolean => {
  const most = (key: (each: Candidate) => string) =>
    Math.max(0, ...Object.values(Array.groupBy(chosen, key)).map(({ length }) => length))
  return (
    chosen.length <= room.total &&
    chosen.filter(({ isRetry }) => isRetry).length <= room.retries &&
    most(({ accountId }) => accountId) <= room.account &&
    most(receiverKey) <= room.receiver
  )
}

describe("choose", () => {
  it.prop(
    "gives out what is due, as much as there is room for in each respect and no more",
    { some: Some, room: Room },
    ({ room: bounds, some }) => {
      const room = { ...roomFor(0), ...bounds }
      const candidates = candidatesOf(some)

      const { chosen } = choose(candidates, { at, lease, room })

      const left = candidates.filter(
        (each) => !chosen.includes(each) && DateTime.isLessThanOrEqualTo(each.dueAt, at)
      )
      assert.isTrue(chosen.every(({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, at)))
      assert.isTrue(isWithin(chosen, room))
      assert.isFalse(left.some((each) => isWithin([...chosen, each], room)))
    }
  )

  it.prop(
    "passes nothing that is older, unless somebody wants it tried or there was no room for the older one",
    { some: Some, room: Room },
    ({ room: bounds, some }) => {
      const room = { ...roomFor(0), ...bounds }
      const candidates = candidatesOf(some)

      const { chosen } = choose(candidates, { at, lease, room })

      const passed = candidates.filter((older) => {
        const before = chosen.filter(
          (each) => each.isTried || DateTime.isLessThanOrEqualTo(each.dueAt, older.dueAt)
        )
        return !chosen.includes(older) && before.length < chosen.length && isWithin([...before, older], room)
      })
      assert.deepStrictEqual(
        passed.filter(({ isTried }) => !isTried),
        []
      )
    }
  )

  it.prop(
    "says to look again when the first is due that there is room for, or a lease just given ends",
    { some: Some, room: Room },
    ({ room: bounds, some }) => {
      const room = { ...roomFor(0), ...bounds, total: 100 }
      const candidates = candidatesOf(some)

      const { chosen, nextDueAt } = choose(candidates, { at, lease, room })

      const waiting = candidates
        .filter((each) => !chosen.includes(each) && isWithin([...chosen, each], room))
        .map(({ dueAt }) => dueAt.epochMilliseconds)
      const leases = chosen.map(() => DateTime.addDuration(at, lease).epochMilliseconds)
      const first = Math.min(...waiting, ...leases)
      assert.strictEqual(nextDueAt?.epochMilliseconds ?? Infinity, first)
    }
  )

  it("gives a receiver whose breaker is open one probe, and what somebody wants tried besides", () => {
    const one = { account: 0, receiver: 0, dueAt: 1, isRetry: false, isTried: false }
    const candidates = candidatesOf([one, one, { ...one, dueAt: 3, isTried: true }], {
      ...untroubled,
      openings: 1
    })

    const { chosen, nextDueAt } = choose(candidates, { at, lease, room: roomFor(9) })

    assert.deepStrictEqual(
      chosen.map(({ id }) => id),
      [idOf(2), idOf(0)]
    )
    assert.deepStrictEqual(nextDueAt, DateTime.addDuration(at, lease))
  })
})

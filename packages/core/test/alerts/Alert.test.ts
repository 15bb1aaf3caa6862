import { assert, describe, it } from "@effect/vitest"
import { afterLook, type Alert, isFailing, isOpen, namedMax, type Trouble } from "@runhook/core/alerts/Alert"
import { AccountId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

const accountId = AccountId.make("0190a5e0-0000-7000-8000-000000000001")
const start = DateTime.makeUnsafe("2030-01-01T00:00:00Z")
const minute = (minutes: number) => DateTime.add(start, { minutes })

const trouble = (fields: Partial<Trouble> = {}): Trouble => ({
  accountId,
  kind: "no_runner",
  subject: "agent-1",
  name: "Clerk",
  count: 1,
  since: null,
  ...fields
})

const whole = (troubles: ReadonlyArray<Trouble>) => ({ troubles, isWhole: true })

/** The alerts after a look at each of these minutes. */
const looks = (seen: ReadonlyArray<readonly [minute: number, troubles: ReadonlyArray<Trouble>]>) =>
  seen.reduce<ReadonlyArray<Alert>>(
    (known, [at, troubles]) => afterLook(known, whole(troubles), minute(at)),
    []
  )

const upTo = (max: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: max }))

describe("an alert", () => {
  it("opens when it is first seen, keeps that moment, and counts anew at each look", () => {
    const [alert] = looks([
      [0, [trouble({ since: minute(-7) })]],
      [1, [trouble({ since: minute(-3), count: 5, name: "Clerk 2" })]]
    ])

    assert.deepStrictEqual(alert, {
      ...trouble({ count: 5, name: "Clerk 2" }),
      since: minute(-7),
      seenAt: minute(0),
      missedAt: null,
      openedAt: minute(0),
      closedAt: null
    })
  })

  it("of a receiver opens once it has been held for an hour, however often a look misses it", () => {
    const held = [trouble({ kind: "receiver_held" })]
    const early = looks([
      [0, held],
      [30, held],
      [59, held]
    ])
    const later = looks([
      [0, held],
      [57, held],
      [58, []],
      [60, held]
    ])

    assert.deepStrictEqual(early.map(isOpen), [false])
    assert.deepStrictEqual(later.map(isOpen), [true])
  })

  it("that lasts does not change, so that nothing is written", () => {
    const [known, later] = [
      looks([[0, [trouble()]]]),
      looks([
        [0, [trouble()]],
        [1, [trouble()]]
      ])
    ]

    assert.deepStrictEqual(later, known)
  })

  it("is over when looks have missed it for five minutes, and forgotten a week later", () => {
    const seen = [0, [trouble()]] as const
    const missed = looks([seen, [1, []], [5, []]])
    const over = looks([seen, [1, []], [6, []]])
    // Nobody looked for an hour.
    const late = looks([seen, [60, []]])
    const week = 7 * 24 * 60

    assert.deepStrictEqual([...missed, ...late].map(isOpen), [true, true])
    assert.deepStrictEqual(
      over.map(({ closedAt }) => closedAt),
      [minute(6)]
    )
    assert.lengthOf(afterLook(over, whole([]), minute(5 + week)), 1)
    assert.lengthOf(afterLook(over, whole([]), minute(6 + week)), 0)
  })

  it("opens anew when it comes back", () => {
    const [alert] = looks([
      [0, [trouble()]],
      [1, []],
      [6, []],
      [9, [trouble()]]
    ])

    assert.deepStrictEqual([alert?.openedAt, alert?.closedAt, alert?.since], [minute(9), null, minute(9)])
  })

  it("that a look had to cut off is not over", () => {
    const known = looks([[0, [trouble({ subject: "cut off" })]]])
    const many = (count: number) =>
      Array.from({ length: count }, (_, each) => trouble({ subject: `agent-${each}` }))
    const openAfter = (count: number) =>
      afterLook(afterLook(known, whole(many(count)), minute(1)), whole(many(count)), minute(9)).some(
        (alert) => alert.subject === "cut off" && isOpen(alert)
      )

    assert.isTrue(openAfter(namedMax.ofAccount))
    assert.isFalse(openAfter(namedMax.ofAccount - 1))
  })

  it("that a look could not see is not over, and others open meanwhile", () => {
    const known = looks([[0, [trouble({ subject: "out of sight" })]]])
    const partial = { troubles: [trouble({ subject: "seen" })], isWhole: false }

    const meanwhile = [1, 9, 60].reduce((alerts, at) => afterLook(alerts, partial, minute(at)), known)
    const afterwards = afterLook(meanwhile, whole([]), minute(61))

    const openIn = (alerts: ReadonlyArray<Alert>) => alerts.filter(isOpen).map(({ subject }) => subject)
    assert.sameMembers(openIn(meanwhile), ["out of sight", "seen"])
    // Only looks that could have seen them count.
    assert.sameMembers(openIn(afterwards), ["out of sight", "seen"])
  })

  it.prop(
    "is there once for each trouble, and seen troubles are never over",
    [Schema.Array(Schema.Struct({ after: upTo(10), seen: Schema.Array(upTo(3)) }))],
    ([given]) => {
      let [known, at]: [ReadonlyArray<Alert>, number] = [[], 0]
      for (const { after, seen } of given) {
        at += after
        const subjects = [...new Set(seen)].map(String)
        known = afterLook(known, whole(subjects.map((subject) => trouble({ subject }))), minute(at))
        const open = known.filter(isOpen).map(({ subject }) => subject)
        assert.strictEqual(new Set(known.map(({ subject }) => subject)).size, known.length)
        assert.includeMembers(open, subjects)
      }
    }
  )

  it.prop(
    "of a failing rate needs ten ends of which half failed",
    [upTo(30), upTo(30), upTo(30), upTo(30)],
    ([completed, failed, completedBefore, failedBefore]) => {
      const [now, before] = [
        { completed, failed },
        { completed: completedBefore, failed: failedBefore }
      ]
      const isMany = completed + failed >= 10
      const share = isMany
        ? failed / (completed + failed)
        : (failed + failedBefore) / (completed + failed + completedBefore + failedBefore)
      const isEnough = isMany || completed + failed + completedBefore + failedBefore >= 10
      assert.strictEqual(isFailing(now, before), isEnough && share >= 0.5)
    }
  )
})

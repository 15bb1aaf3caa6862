import { assert, describe, it } from "@effect/vitest"
import { type Delivery, newDelivery } from "@runhook/core/deliveries/Delivery"
import {
  byRevision,
  type Circumstances,
  hasTurn,
  isUnsent,
  released,
  turnOf,
  type Tried
} from "@runhook/core/deliveries/claim/DeliveryOrder"
import { type ReceiverState, untroubled } from "@runhook/core/deliveries/claim/Receiver"
import { AccountId, ApiKeyId, EventId, ExecutionId } from "@runhook/core/shared/Ids"
import { attemptOf } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"

const second = (seconds: number) => DateTime.makeUnsafe(1_790_000_000_000 + seconds * 1_000)

const lease = Duration.seconds(45)

/** An event of one execution, by the change that it tells of. */
const event = (revision: number, fields: Partial<Delivery> = {}): Delivery => ({
  ...newDelivery(
    {
      id: EventId.make(`0199a1b2-0000-7000-8000-${(9_999 - revision).toString().padStart(12, "0")}`),
      accountId: AccountId.make("0199a1b2-0000-7000-8000-00000000000a"),
      apiKeyId: ApiKeyId.make("0199a1b2-0000-7000-8000-00000000000b"),
      executionId: ExecutionId.make("0199a1b2-0000-7000-8000-00000000000c"),
      revision,
      type: "execution.started",
      url: "https://receiver.example/hook",
      requestId: "req_test",
      reference: null,
      body: "{}"
    },
    second(0)
  ),
  ...fields
})

/** What an attempt came to: a status, or null when nothing was answered. */
type Outcome = number | null

/** The first event, tried with these outcomes the last time at second 100, and due again at second 600. */
const tried = (outcomes: ReadonlyArray<Outcome>, fields: Partial<Delivery> = {}): Tried => ({
  delivery: event(1, {
    attempts: outcomes.length,
    attemptedAt: second(100),
    nextAttemptAt: second(600),
    lastStatus: outcomes.at(-1) ?? null,
    lastError: outcomes.length > 0 ? "It failed" : null,
    ...fields
  }),
  attempts: outcomes.map((status, place) =>
    attemptOf(event(1, { attempts: place + 1 }), { phase: status === null ? "headers" : "done", status })
  ),
  dispatcher: null
})

const calm: Circumstances = { order: "bounded", receiver: untroubled, at: second(200) }

const isOwn = () => false

/** Until which second the second event waits for the first. */
const wait = (
  first: Tried,
  {
    receiver,
    ...given
  }: Partial<Omit<Circumstances, "receiver">> & { receiver?: Partial<ReceiverState> } = {}
) => {
  const circumstances = { ...calm, ...given, receiver: { ...untroubled, ...receiver } }
  const { heldBackUntil } = turnOf(event(2), { ...circumstances, earlier: [first], lease, isOwn })
  return heldBackUntil && DateTime.distance(second(0), heldBackUntil).pipe(Duration.toSeconds)
}

describe("DeliveryOrder", () => {
  it("goes by the changes that are told of, whatever the ids say", () => {
    const [first, next] = [event(1), event(2)]

    assert.isBelow(byRevision(first, next), 0)
    assert.isTrue(first.id > next.id)
  })

  it("holds an event back until the one before it is due again, and for a lease at least", () => {
    assert.deepStrictEqual(
      [200, 590].map((at) => wait(tried([500]), { at: second(at) })),
      [600, 635]
    )
  })

  it("holds an event back for three refusals of the one before it", () => {
    const waits = [[500], [500, 400], [500, 400, 500]].map((outcomes) => wait(tried(outcomes)))

    assert.deepStrictEqual(waits, [600, 600, null])
  })

  it.each([429, 502, 503, 504, null])(
    "counts no refusal where the answer was %s, and gives up after five",
    (status) => {
      const waits = [3, 4, 5].map((count) => wait(tried(Array.replicate(status, count))))

      assert.deepStrictEqual(waits, [600, 600, null])
    }
  )

  it("counts no attempt that was kept from being sent", () => {
    const { attempts, delivery } = tried(Array.replicate(null, 8))
    const unsent = {
      delivery,
      attempts: attempts.map((attempt) => ({ ...attempt, phase: "policy" }) as const),
      dispatcher: null
    }

    assert.strictEqual(wait(unsent), 600)
  })

  it("passes nothing that is being sent, be its process dead", () => {
    const sent = tried([500, 500, 500], { attempts: 4, attemptedAt: second(190), nextAttemptAt: second(235) })

    assert.strictEqual(wait(sent), 245)
  })

  it.each([
    ["is left alone", { openings: 1, heldUntil: second(900) }],
    ["is about to be probed", { openings: 1, heldUntil: second(150) }],
    ["came back after the last attempt", { closedAt: second(101) }]
  ])("passes nothing while the receiver %s", (_, receiver) => {
    assert.strictEqual(wait(tried([500, 500, 500]), { receiver }), 600)
  })

  it("waits out the recovery and the pauses of a receiver before it passes anything", () => {
    const refused = tried([500, 500, 500], { attemptedAt: second(190) })

    assert.strictEqual(wait(refused, { receiver: { closedAt: second(180) } }), 210)
    assert.isNull(wait(refused, { receiver: { closedAt: second(170) } }))
    assert.strictEqual(wait(refused, { receiver: { heldUntil: second(260) } }), 260)
  })

  it("passes nothing that is pending in strict order, and waits for nothing without order", () => {
    const refused = tried(Array.replicate(500, 11))

    assert.deepStrictEqual(
      [wait(refused, { order: "strict" }), wait(tried([]), { order: "none" })],
      [600, null]
    )
  })

  it.each([
    ["a replay", { round: 2 }],
    ["what no execution caused", { executionId: null }],
    ["what was sent before", { attempts: 1, lastError: "It failed" }],
    ["what was answered before", { attempts: 1, lastStatus: 500 }]
  ])("never holds back %s", (_, fields) => {
    const options = { ...calm, order: "strict", earlier: [tried([])], lease, isOwn } as const

    assert.isNull(turnOf(event(2, fields), options).heldBackUntil)
  })

  it("holds back an event whose attempt was lost, and looks again in five seconds, since nothing releases it", () => {
    const lost = event(2, { attempts: 1, attemptedAt: second(100), nextAttemptAt: second(150) })
    const earlier = [tried([])]

    const { heldBackUntil } = turnOf(lost, { ...calm, earlier, lease, isOwn })
    const next = released([{ delivery: lost, attempts: [], dispatcher: null }], calm)

    assert.deepStrictEqual([heldBackUntil, next], [second(205), null])
  })

  it("gives a turn to what is pending in its first round", () => {
    const failed = event(1, { attempts: 1, lastError: "It failed" })
    const turns = [
      event(1),
      event(1, { attempts: 1 }),
      failed,
      event(1, { round: 2 }),
      event(1, { state: "dead" })
    ]

    assert.deepStrictEqual(
      turns.map((each) => [hasTurn(each), isUnsent(each)]),
      [
        [true, true],
        [true, true],
        [true, false],
        [false, false],
        [false, false]
      ]
    )
  })

  const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 6 }))
  const outcome = Schema.NullOr(Schema.Literals([400, 500, 503]))
  const moment = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 })))
  const instant = (seconds: number | null) => (seconds === null ? null : second(seconds))

  it.prop(
    "releases just the event that is held back by nothing, when that is so",
    {
      order: Schema.Literals(["bounded", "strict", "none"]),
      histories: Schema.Array(
        Schema.Struct({ outcomes: Schema.Array(outcome).check(Schema.isMaxLength(6)), attemptedAt: moment })
      ),
      unsent: count,
      openings: Schema.Literals([0, 1]),
      closedAt: moment,
      heldUntil: moment
    },
    ({ closedAt, heldUntil, histories, openings, order, unsent }) => {
      const receiver = { openings, closedAt: instant(closedAt), heldUntil: instant(heldUntil) }
      const circumstances = { ...calm, order, receiver }
      const sent = histories.map(({ attemptedAt, outcomes }, place): Tried => {
        const { attempts, delivery } = tried(outcomes, { attemptedAt: instant(attemptedAt) })
        return { attempts, dispatcher: null, delivery: { ...delivery, revision: place + 1 } }
      })
      const rest = Array.makeBy(unsent + 1, (place): Tried => {
        const later = { nextAttemptAt: second(5_000) }
        return { attempts: [], dispatcher: null, delivery: event(histories.length + place + 1, later) }
      })
      const pending = [...sent, ...rest]

      const next = released(pending, circumstances)

      const waits = pending.map(({ delivery }, place) =>
        turnOf(delivery, { ...circumstances, earlier: pending.slice(0, place), lease, isOwn })
      )
      const place = pending.findIndex((each) => each === next?.next)
      // It is due at once, or when what it passes has had its time.
      if (next !== null) assert.deepStrictEqual(next.dueAt, waits[place]?.heldBackUntil ?? calm.at)
      const free = pending.filter(
        ({ delivery }, index) => isUnsent(delivery) && waits[index]?.heldBackUntil === null
      )
      const expected =
        order === "none" ? free : pending.slice(place, place + 1).filter((each) => free.includes(each))
      assert.deepStrictEqual(free, expected)
    }
  )
})

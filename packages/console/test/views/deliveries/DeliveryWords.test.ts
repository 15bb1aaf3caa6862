import type { Delivery } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { lastAnswerOf, stateOf, attemptCountsOf } from "../../../src/views/deliveries/DeliveryWords.ts"
import { plain } from "./Plain.ts"

const next_attempt_at = "2026-11-22T01:44:00.000Z"

const standing = {
  state: "pending",
  waiting_for: null,
  next_attempt_at,
  last_status: null,
  last_error: null,
  last_cause: null,
  attempts: 0
} as const

type Standing = Parameters<typeof lastAnswerOf>[0]

const words = (changes: Partial<Standing>) => {
  const { next, words: said } = lastAnswerOf({ ...standing, ...changes })
  return next === null ? plain(said) : `${plain(said)}, ${plain(next)}`
}

const refused = {
  last_status: 401,
  last_error: "The receiver answered 401",
  last_cause: "unauthorized",
  attempts: 4
} as const
const lost = { last_error: "The host name could not be resolved", last_cause: "dns", attempts: 12 } as const

describe("the last answer, in words", () => {
  const cases: ReadonlyArray<readonly [string, Partial<Standing>]> = [
    ["200", { state: "delivered", last_status: 200, attempts: 1 }],
    ["In flight", { waiting_for: "sending", attempts: 1 }],
    ["Due now", {}],
    ["401, refuses the signature, due now", refused],
    [`401, refuses the signature, next at ${next_attempt_at}`, { ...refused, waiting_for: "backoff" }],
    ["401, refuses the signature", { ...refused, state: "dead" }],
    [`Receiver paused until ${next_attempt_at}`, { ...lost, waiting_for: "breaker_open" }],
    [`Receiver asked for a pause until ${next_attempt_at}`, { ...lost, waiting_for: "paused" }],
    ["Waits for an earlier event", { waiting_for: "earlier_event" }],
    ["Address not found", { ...lost, state: "dead" }],
    ["Given up unsent", { ...lost, state: "dead", last_cause: "expired", attempts: 0 }],
    ["No answer", { ...lost, state: "dead", last_cause: null }],
    ["503", { ...refused, state: "dead", last_status: 503, last_cause: null }],
    ["503, gremlins", { ...refused, state: "dead", last_status: 503, last_cause: "gremlins" }]
  ]

  it.each(cases)("are %s", (said, changes) => {
    assert.strictEqual(words(changes), said)
  })
})

describe("the attempts of a delivery", () => {
  it.each([
    [
      { state: "delivered", waiting_for: null, attempts: 3 },
      { failed: 2, delivered: 1, toCome: 0 }
    ],
    [
      { state: "pending", waiting_for: "backoff", attempts: 4 },
      { failed: 4, delivered: 0, toCome: 8 }
    ],
    [
      { state: "pending", waiting_for: "sending", attempts: 1 },
      { failed: 0, delivered: 0, toCome: 12 }
    ],
    [
      { state: "dead", waiting_for: null, attempts: 12 },
      { failed: 12, delivered: 0, toCome: 0 }
    ]
  ] satisfies ReadonlyArray<readonly [Pick<Delivery, "state" | "waiting_for" | "attempts">, object]>)(
    "of %o are %o",
    (delivery, tries) => {
      assert.deepStrictEqual(attemptCountsOf(delivery), tries)
    }
  )

  it("are on their way when one is being sent", () => {
    assert.strictEqual(stateOf({ state: "pending", waiting_for: "sending" }), "sending")
    assert.strictEqual(stateOf({ state: "pending", waiting_for: "backoff" }), "waiting")
    assert.strictEqual(stateOf({ state: "dead", waiting_for: null }), "dead")
  })
})

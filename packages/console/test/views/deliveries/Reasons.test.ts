import { assert, describe, it } from "vitest"
import { reasonsOf } from "../../../src/views/deliveries/Reasons.ts"

const now = Date.parse("2026-11-22T02:00:00.000Z")
const soon = "2026-11-22T02:01:00.000Z"
const later = "2026-11-22T02:30:00.000Z"
const backoff = { waiting_for: "backoff", next_attempt_at: later } as const
const longest = { waitingFor: "backoff", until: later }

describe("what a delivery waits for", () => {
  it("is its retry time, and its receiver that is left alone until before it", () => {
    assert.deepStrictEqual(reasonsOf(backoff, { state: "open", until: soon }, now), [
      longest,
      { waitingFor: "breaker_open", until: soon }
    ])
    assert.deepStrictEqual(reasonsOf(backoff, { state: "paused", until: soon }, now), [
      longest,
      { waitingFor: "paused", until: soon }
    ])
  })

  it("is one thing once, though the delivery and its receiver both tell of it", () => {
    const waiting = { waiting_for: "breaker_open", next_attempt_at: later } as const

    assert.deepStrictEqual(reasonsOf(waiting, { state: "open", until: soon }, now), [
      { waitingFor: "breaker_open", until: later }
    ])
  })

  it("is not what is over, what holds nothing, or what nobody knows", () => {
    for (const receiver of [
      { state: "paused", until: "2026-11-22T01:59:00.000Z" },
      { state: "failing", until: null },
      { state: "healthy", until: null },
      undefined
    ]) {
      assert.deepStrictEqual(reasonsOf(backoff, receiver, now), [longest])
    }
  })

  it("is nothing else while it is sent, and nothing at all once it is due or settled", () => {
    const open = { state: "open", until: soon } as const

    assert.deepStrictEqual(reasonsOf({ waiting_for: "sending", next_attempt_at: soon }, open, now), [
      { waitingFor: "sending", until: soon }
    ])
    assert.deepStrictEqual(reasonsOf({ waiting_for: null, next_attempt_at: null }, open, now), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { untroubled } from "@runhook/core/deliveries/claim/Receiver"
import {
  type LastFailure,
  laterAttempts,
  type ReceiverRecord,
  standingOf,
  worstFirst
} from "@runhook/core/deliveries/claim/ReceiverStanding"
import * as DateTime from "effect/DateTime"

const at = (minute: number) => DateTime.makeUnsafe(Date.UTC(2026, 2, 2, 9, minute))
const now = at(30)
const failedAt = (minute: number): LastFailure => ({ at: at(minute), cause: "server_error", status: 503 })

const healthy: ReceiverRecord = {
  origin: "https://a.example",
  state: untroubled,
  lastSuccessAt: at(20),
  lastFailure: null,
  delivered: 5,
  failed: 0,
  waiting: 0,
  dead: 0
}

const untried = { ...healthy, lastSuccessAt: null }
const failing = { ...healthy, lastFailure: failedAt(21) }
const open = { ...failing, state: { openings: 2, heldUntil: at(29), closedAt: null } }
const paused = { ...failing, state: { openings: 0, heldUntil: at(31), closedAt: null } }
const recovering = {
  ...failing,
  state: { openings: 0, heldUntil: null, closedAt: DateTime.subtract(now, { seconds: 3 }) }
}

describe("a receiver", () => {
  it("stands as its breaker does, and else as its last attempt ended", () => {
    const standings = [healthy, untried, failing, open, paused, recovering].map((each) =>
      standingOf(each, now)
    )

    assert.deepStrictEqual(standings, ["healthy", "untried", "failing", "open", "paused", "recovering"])
  })

  it("is well again once something has arrived after a failure", () => {
    assert.strictEqual(standingOf({ ...failing, lastSuccessAt: at(22) }, now), "healthy")
    assert.strictEqual(standingOf({ ...failing, lastSuccessAt: null }, now), "failing")
  })

  it("comes first when it is worse, or when more waits for it", () => {
    const busy = { ...failing, origin: "https://b.example", waiting: 2, dead: 1 }
    const sorted = [healthy, untried, recovering, failing, busy, paused, open].toSorted(worstFirst(now))

    assert.deepStrictEqual(sorted, [open, busy, failing, paused, recovering, untried, healthy])
  })

  it("comes first among equals when it is asked more often, and else by its name", () => {
    const [quiet, loud] = [
      { ...failing, delivered: 1 },
      { ...failing, delivered: 0, failed: 9 }
    ]
    const named = { ...quiet, origin: "https://0.example" }

    assert.deepStrictEqual([quiet, named, loud].toSorted(worstFirst(now)), [loud, named, quiet])
  })

  it("has of two accounts of it whatever is later", () => {
    const one: Pick<ReceiverRecord, "lastFailure" | "lastSuccessAt"> = {
      lastSuccessAt: at(3),
      lastFailure: failedAt(9)
    }
    const unfailed: Pick<ReceiverRecord, "lastFailure" | "lastSuccessAt"> = { ...one, lastFailure: null }
    const other = { ...one, lastSuccessAt: at(5), lastFailure: failedAt(1) }
    const both = { lastSuccessAt: at(5), lastFailure: failedAt(9) }

    assert.deepStrictEqual([laterAttempts(one, other), laterAttempts(other, one)], [both, both])
    assert.deepStrictEqual(laterAttempts(unfailed, other).lastFailure, failedAt(1))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { deliveryOf } from "../../src/deliveries/Outbox.ts"
import { EventId } from "../../src/shared/Ids.ts"
import { accepted, enter, isExpired, release } from "../../src/runs/Run.ts"
import { acceptedRun, claimedRun, execution, second, sessionId, startedRun } from "./RunFixtures.ts"

describe("Run", () => {
  it("announces an execution that is queued at once", () => {
    const change = accepted(execution())

    assert.strictEqual(change.event, "execution.queued")
    assert.deepStrictEqual(change.run.dueAt, second(0))
  })

  it("announces a held execution when it is released, and once", () => {
    const held = accepted(execution({ status: "pending" }))

    const released = release(held.run, second(5))

    assert.isNull(held.event)
    assert.strictEqual(released.event, "execution.queued")
    assert.deepStrictEqual(released.run.dueAt, second(5))
    assert.isFalse(release(released.run, second(6)).changed)
  })

  it("waits for the scheduled time, also when it is released before", () => {
    const scheduledAt = second(60)

    assert.deepStrictEqual(acceptedRun({ scheduledAt }).dueAt, scheduledAt)
    assert.deepStrictEqual(
      release(acceptedRun({ status: "pending", scheduledAt }), second(5)).run.dueAt,
      scheduledAt
    )
    assert.deepStrictEqual(
      release(acceptedRun({ status: "pending", scheduledAt }), second(61)).run.dueAt,
      second(61)
    )
  })

  it("emits no event that nobody wants", () => {
    assert.isNull(accepted(execution({ callbackUrl: null })).event)
    assert.isNull(accepted(execution({ callbackEvents: ["execution.failed"] })).event)
  })

  it("emits no event of a type that was emitted before", () => {
    const queued = enter(startedRun(), "queued", second(5), {})
    const started = enter(queued.run, "running", second(6), {})

    assert.deepStrictEqual([queued.event, started.event], [null, null])
    assert.isTrue(queued.changed && started.changed)
  })

  it("says which session a move has taken the lease from", () => {
    const kept = enter(claimedRun(), "running", second(5), {})
    const taken = enter(claimedRun(), "aborted", second(5), { run: { lease: null } })

    assert.isNull(kept.releasedFrom)
    assert.strictEqual(taken.releasedFrom, sessionId)
  })

  it("is expired from the moment it should have started until it is", () => {
    const expiresAt = second(10)

    assert.isFalse(isExpired(acceptedRun({ expiresAt }), second(9.999)))
    assert.isTrue(isExpired(acceptedRun({ expiresAt }), second(10)))
    assert.isTrue(isExpired(acceptedRun({ expiresAt, status: "pending" }), second(10)))
    assert.isFalse(isExpired(startedRun({ expiresAt }), second(10)))
    assert.isFalse(isExpired(enter(startedRun({ expiresAt }), "queued", second(5), {}).run, second(10)))
    assert.isFalse(isExpired(acceptedRun(), second(10)))
  })
})

describe("Outbox", () => {
  const id = EventId.make("01900000-0000-7000-8000-0000000000ee")

  it("has a delivery for a change with an event, due at the moment of the change", () => {
    const change = release(acceptedRun({ status: "pending" }), second(5))

    const delivery = deliveryOf(change, id)

    assert.deepInclude(delivery, { id, type: "execution.queued", state: "pending", attempts: 0, round: 1 })
    assert.deepInclude(delivery, { nextAttemptAt: second(5), createdAt: second(5) })
    assert.strictEqual(JSON.parse(delivery?.body ?? "").event_id, id)
  })

  it("has none for a change without one", () => {
    const delivery = deliveryOf(accepted(execution({ callbackUrl: null })), id)

    assert.isNull(delivery)
  })
})

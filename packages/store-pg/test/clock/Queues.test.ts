import { assert, describe, it } from "@effect/vitest"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { makeExecution, makeTenant, newExecution, unlimited } from "@runhook/store-testing/Fixtures"
import { claimUpTo, idsOf, lease, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import { sharing } from "@runhook/store-testing/runs/SeatFixtures"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { databaseNow, openedAt, pairs, passes, stores, sweptAt } from "./Skewed.ts"

const limit = 10

const claimedIds = (session: RunnerSession, at: DateTime.Utc) =>
  Effect.map(claimUpTo(session, { limit, at }), ({ claims }) => idsOf(claims))

/** For how many seconds a claim of the process at `at` says to wait. */
const waitOf = (session: RunnerSession, at: DateTime.Utc) =>
  Effect.map(claimUpTo(session, { limit, at }), ({ nextDueAt }) =>
    nextDueAt === null ? Number.NaN : Duration.toSeconds(DateTime.distance(at, nextDueAt))
  )

describe("The queue of processes whose clocks differ", () => {
  it.layer(stores, { excludeTestServices: true })((it) => {
    it.effect.each(pairs)("gives out what was queued by one at once: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const session = yield* openedAt(tenant, other)
        const { id } = yield* makeExecution(tenant, { createdAt: one })

        const claimed = yield* claimedIds(session, other)

        assert.deepStrictEqual(claimed, [id])
      })
    )

    it.effect.each(pairs)("lets nobody jump it: queued by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const session = yield* openedAt(tenant, one)
        const first = yield* makeExecution(tenant, { createdAt: one })
        yield* databaseNow
        const second = yield* makeExecution(tenant, { createdAt: other })

        const claimed = yield* claimedIds(session, one)

        assert.deepStrictEqual(claimed, [first.id, second.id])
      })
    )

    it.effect.each(pairs)("keeps what is scheduled until then, and no longer: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const session = yield* openedAt(tenant, one)
        const scheduledAt = DateTime.add(yield* databaseNow, { minutes: 10 })
        const { id } = yield* makeExecution(tenant, { createdAt: one, scheduledAt })

        const early = [yield* claimedIds(session, one), yield* claimedIds(session, other)]
        const wait = yield* waitOf(session, other)
        yield* passes("10 minutes")
        const late = yield* claimedIds(session, other)

        assert.deepStrictEqual([early, late], [[[], []], [id]])
        assert.isTrue(wait > 500 && wait <= 600)
      })
    )

    it.effect.each(pairs)("queues at once what is released by one: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const session = yield* openedAt(tenant, other)
        const { accountId, id } = yield* makeExecution(tenant, { createdAt: one, status: "pending" })
        yield* store.release({ accountId, id, at: one })

        const claimed = yield* claimedIds(session, other)

        assert.deepStrictEqual(claimed, [id])
      })
    )

    it.effect(
      "ends what is replaced by the time of what replaces it, though that was stored seconds later",
      () =>
        Effect.gen(function* () {
          const store = yield* ExecutionStore
          const tenant = yield* makeTenant()
          const at = yield* databaseNow
          const createdAt = DateTime.subtract(at, { seconds: 8 })
          const older = DateTime.subtract(createdAt, { seconds: 8 })
          const { accountId, id } = yield* makeExecution(tenant, { createdAt: older, ...sharing() })
          yield* makeExecution(tenant, { createdAt, ...sharing({ policy: "cancel_running" }) })

          const { inTheWay } = yield* (yield* SweepStore).giveSeats({ at, limit: 100 })
          const own = inTheWay.filter((each) => each.accountId === accountId)
          yield* Effect.forEach(own, (each) => store.stop({ ...each, to: "cancelled", reason: null, at }))

          assert.deepStrictEqual((yield* store.get(accountId, id)).stoppedAt, createdAt)
        })
    )

    it.effect.each(pairs)("holds back what is to be tried again for its delay: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const runs = yield* RunStore
        const tenant = yield* makeTenant()
        const session = yield* openedAt(tenant, one)
        const { id } = yield* makeExecution(tenant, { createdAt: one, maxAttempts: 2 })
        const { claims } = yield* claimUpTo(session, { limit, at: one })
        const write = claims.map(({ run }) => writeTo(run, one))
        const failed = {
          _tag: "Failed",
          message: "Broken",
          isRetryable: true,
          retryDelayMillis: 600_000
        } as const
        yield* Effect.forEach(write, (each) => runs.start({ ...each, lease }))
        yield* Effect.forEach(write, (each) => runs.finish({ ...each, outcome: failed, fingerprint: "same" }))

        const early = [yield* claimedIds(session, one), yield* claimedIds(session, other)]
        const wait = yield* waitOf(session, other)
        yield* passes("10 minutes")
        const late = yield* claimedIds(session, other)

        assert.deepStrictEqual([early, late], [[[], []], [id]])
        assert.isTrue(wait > 500 && wait <= 600)
      })
    )

    it.effect.each(pairs)("holds back what is given back for its delay: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const runs = yield* RunStore
        const tenant = yield* makeTenant()
        const session = yield* openedAt(tenant, one)
        const { id } = yield* makeExecution(tenant, { createdAt: one })
        const { claims } = yield* claimUpTo(session, { limit, at: one })
        const delay = Duration.minutes(10)
        yield* Effect.forEach(claims, ({ run }) => runs.giveBack({ ...writeTo(run, one), delay }))

        const early = [yield* claimedIds(session, one), yield* claimedIds(session, other)]
        yield* passes(delay)
        const late = yield* claimedIds(session, other)

        assert.deepStrictEqual([early, late], [[[], []], [id]])
      })
    )

    it.effect.each(pairs)("ends what was not started in time, and not before: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const session = yield* openedAt(tenant, one)
        const expiresAt = DateTime.add(yield* databaseNow, { minutes: 10 })
        const execution = yield* makeExecution(tenant, { createdAt: one, expiresAt })

        const early = [yield* sweptAt(one, execution), yield* sweptAt(other, execution)]
        yield* passes("10 minutes")
        const claimed = [...(yield* claimedIds(session, one)), ...(yield* claimedIds(session, other))]
        const late = yield* sweptAt(other, execution)

        assert.deepStrictEqual([early, claimed, late], [[null, null], [], "cancelled"])
      })
    )

    it.effect.each(pairs)("hands out what has not expired: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const session = yield* openedAt(tenant, other)
        const expiresAt = DateTime.add(yield* databaseNow, { minutes: 10 })
        const { id } = yield* makeExecution(tenant, { createdAt: one, expiresAt })

        assert.deepStrictEqual(yield* claimedIds(session, other), [id])
      })
    )

    it.effect.each(pairs)("knows an idempotency key for its lifetime: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const createAt = Effect.fnUntraced(function* (at: DateTime.Utc) {
          const execution = yield* newExecution(tenant, { createdAt: at })
          const idempotency = {
            key: "key",
            fingerprint: "same",
            expiresAt: DateTime.add(at, { minutes: 10 })
          }
          return yield* store.create({ ...unlimited, execution, idempotency })
        })
        yield* createAt(one)

        const early = yield* createAt(other)
        yield* passes("10 minutes")
        const late = yield* createAt(other)

        assert.deepStrictEqual([early.isDuplicate, late.isDuplicate], [true, false])
      })
    )
  })
})

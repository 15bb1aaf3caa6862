import { assert, describe, it } from "@effect/vitest"
import type { Execution } from "@runhook/core/executions/Execution"
import type { InputRequest } from "@runhook/core/runs/InputRequest"
import { presence } from "@runhook/core/runs/sessions/RunnerSession"
import { AgentStore } from "@runhook/core/catalog/AgentStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { makeExecution, makeTenant, plenty } from "@runhook/store-testing/Fixtures"
import {
  lease,
  newQuestion,
  newSession,
  startDeadline,
  writeTo
} from "@runhook/store-testing/runs/RunFixtures"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { databaseNow, openedAt, pairs, passes, stores, sweptAt } from "./Skewed.ts"

const almostAMinute = Duration.seconds(50)

/** A run that a process has claimed. */
const claimedAt = Effect.fnUntraced(function* (at: DateTime.Utc, fields: Partial<Execution> = {}) {
  const runs = yield* RunStore
  const tenant = yield* makeTenant()
  const session = yield* openedAt(tenant, at)
  // Its id, and so its creation, is of the clock of its process: that follows the database's.
  yield* makeExecution(tenant, { createdAt: yield* databaseNow, ...fields })
  const { claims } = yield* runs.claim({ session, claimId: "claim", limit: 1, startDeadline, at })
  const run = claims[0]?.run
  return run === undefined ? yield* Effect.die(new Error("Nothing was claimed")) : { run, session, tenant }
})

/** A run that a process has claimed and started. */
const startedAt = Effect.fnUntraced(function* (at: DateTime.Utc, fields: Partial<Execution> = {}) {
  const runs = yield* RunStore
  const claimed = yield* claimedAt(at, fields)
  const { run } = yield* runs.start({ ...writeTo(claimed.run, at), lease })
  return { ...claimed, run }
})

/** A question that a process was asked, for a minute. */
const askedAt = Effect.fnUntraced(function* (at: DateTime.Utc, fields: Partial<InputRequest> = {}) {
  const runs = yield* RunStore
  const { run } = yield* startedAt(at, { timeoutSeconds: 600 })
  const input = yield* newQuestion(at, fields)
  return yield* runs.ask({ ...writeTo(run, at), input })
})

/** Seconds from the database's now, to the nearest ten. */
const fromNow = (moment: DateTime.Utc | null | undefined) =>
  Effect.map(databaseNow, (now) =>
    moment ? Math.round(Duration.toSeconds(DateTime.distance(now, moment)) / 10) * 10 + 0 : null
  )

describe("Leases among processes whose clocks differ", () => {
  it.layer(stores, { excludeTestServices: true })((it) => {
    it.effect.each(pairs)("of claims last until their deadline: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const { run } = yield* claimedAt(one)
        const seconds = yield* fromNow(run.lease?.expiresAt)

        yield* passes(almostAMinute)
        const early = [yield* sweptAt(one, run.execution), yield* sweptAt(other, run.execution)]
        yield* passes("10 seconds")
        const late = yield* sweptAt(other, run.execution)

        assert.deepStrictEqual([seconds, early, late], [60, [null, null], "queued"])
      })
    )

    it.effect.each(pairs)("of started work last until they run out: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const { run } = yield* startedAt(one)
        const seconds = yield* fromNow(run.lease?.expiresAt)

        yield* passes(almostAMinute)
        const early = [yield* sweptAt(one, run.execution), yield* sweptAt(other, run.execution)]
        yield* passes("10 seconds")
        const late = yield* sweptAt(other, run.execution)

        assert.deepStrictEqual([seconds, early, late], [60, [null, null], "error"])
      })
    )

    it.effect.each(pairs)("are kept by signs of life at any of them: $named", ({ one, other }) =>
      Effect.gen(function* () {
        const runs = yield* RunStore
        const { run, session } = yield* startedAt(one)
        const { epoch, id } = run.execution
        const beatAt = (at: DateTime.Utc) =>
          runs.beat({ session, isDraining: false, inFlight: [{ executionId: id, epoch }], lease, at })

        yield* passes(almostAMinute)
        const { held } = yield* beatAt(other)
        yield* passes(almostAMinute)
        yield* beatAt(one)
        yield* passes(almostAMinute)

        assert.deepStrictEqual(
          [yield* sweptAt(one, run.execution), yield* sweptAt(other, run.execution)],
          [null, null]
        )
        assert.strictEqual(held[0]?.execution.epoch, epoch)
      })
    )

    it.effect.each(pairs)("are extended by a start that is repeated: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const runs = yield* RunStore
        const { run } = yield* startedAt(one)

        yield* passes(almostAMinute)
        const again = yield* runs.start({ ...writeTo(run, other), lease })

        assert.strictEqual(yield* fromNow(again.run.lease?.expiresAt), 60)
        yield* passes(almostAMinute)
        assert.isNull(yield* sweptAt(other, run.execution))
      })
    )

    it.effect.each(pairs)("are found again by a claim that is repeated: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const runs = yield* RunStore
        const { run, session } = yield* claimedAt(one)
        yield* makeExecution({ ...run.execution, runnerKeyId: session.runnerKeyId }, { createdAt: one })

        const { claims } = yield* runs.claim({
          session,
          claimId: "claim",
          limit: 5,
          startDeadline,
          at: other
        })

        assert.deepStrictEqual(
          claims.map((claim) => claim.run.execution.id),
          [run.execution.id]
        )
      })
    )

    it.effect.each(pairs)("end with the time of the attempt, and not before: by $named", ({ one, other }) =>
      Effect.gen(function* () {
        const { run } = yield* startedAt(one, { timeoutSeconds: 30 })

        yield* passes("20 seconds")
        const early = [yield* sweptAt(one, run.execution), yield* sweptAt(other, run.execution)]
        yield* passes("10 seconds")
        const late = yield* sweptAt(other, run.execution)

        assert.deepStrictEqual([early, late], [[null, null], "error"])
      })
    )

    it.effect.each(pairs)("have questions wait for their time: of $named", ({ one, other }) =>
      Effect.gen(function* () {
        const { change, input } = yield* askedAt(one, { mode: "release", onTimeout: "cancel" })
        const { execution } = change.run
        const seconds = [yield* fromNow(input.askedAt), yield* fromNow(input.expiresAt)]

        yield* passes(almostAMinute)
        const early = [yield* sweptAt(one, execution), yield* sweptAt(other, execution)]
        yield* passes("10 seconds")
        const late = yield* sweptAt(other, execution)

        assert.deepStrictEqual([seconds, early, late], [[0, 60], [null, null], "cancelled"])
      })
    )

    it.effect.each(pairs)("go on after an answer with the time they had: of $named", ({ one, other }) =>
      Effect.gen(function* () {
        const executions = yield* ExecutionStore
        const { change, input } = yield* askedAt(one)
        const { accountId, id } = change.run.execution

        const answered = yield* executions.answer({ accountId, id, inputId: input.id, value: "A", at: other })

        assert.strictEqual(yield* fromNow(answered.run.deadlineAt), 600)
        assert.strictEqual(yield* fromNow(answered.run.inputs[0]?.answeredAt), 0)
      })
    )

    it.effect.each(pairs)("queue the work of an answer at once: of $named", ({ one, other }) =>
      Effect.gen(function* () {
        const executions = yield* ExecutionStore
        const runs = yield* RunStore
        const { change, input } = yield* askedAt(one, { mode: "release" })
        const { accountId, id } = change.run.execution
        yield* executions.answer({ accountId, id, inputId: input.id, value: "A", at: one })

        const tenant = { ...change.run.execution, runnerKeyId: (yield* makeTenant()).runnerKeyId }
        const session = yield* openedAt(tenant, other)
        const { claims } = yield* runs.claim({ session, claimId: "next", limit: 1, startDeadline, at: other })

        assert.strictEqual(claims[0]?.run.execution.id, id)
      })
    )

    it.effect.each(pairs)("tell sweeps how long to sleep: $named", ({ one, other }) =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        yield* passes("1 hour")
        yield* sweptAt(one, { id: (yield* startedAt(one)).run.execution.id })

        const waits = yield* Effect.forEach([one, other], (at) =>
          Effect.map(sweeps.nextDueAt(at), (next) =>
            next === null ? Number.NaN : Duration.toSeconds(DateTime.distance(at, next))
          )
        )

        assert.isTrue(waits.every((seconds) => seconds > 50 && seconds <= 60))
      })
    )

    it.effect.each(pairs)("are those of sessions that all of them see: $named", ({ one, other }) =>
      Effect.gen(function* () {
        const agents = yield* AgentStore
        const runs = yield* RunStore
        const tenant = yield* makeTenant()
        yield* openedAt(tenant, one)
        const ref = { accountId: tenant.accountId, id: tenant.agentId }
        const isPresentAt = (at: DateTime.Utc) =>
          Effect.map(agents.get({ ...ref, at }), ({ runners }) => runners.length > 0)
        const another = yield* newSession(tenant, { lastSeenAt: other })

        yield* passes(almostAMinute)
        const present = [yield* isPresentAt(one), yield* isPresentAt(other)]
        const refused = yield* Effect.exit(runs.openSession({ session: another, presentMax: 1 }))
        yield* passes(Duration.subtract(presence, almostAMinute))
        const gone = [yield* isPresentAt(one), yield* isPresentAt(other)]

        assert.deepStrictEqual([present, refused._tag, gone], [[true, true], "Failure", [false, false]])
      })
    )

    it.effect.each(pairs)(
      "forget a session after a day of silence, and not before: $named",
      ({ one, other }) =>
        Effect.gen(function* () {
          const runs = yield* RunStore
          const sweeps = yield* SweepStore
          const { accountId, id, runnerKeyId } = yield* openedAt(yield* makeTenant(), one)
          const isKnown = Effect.map(
            Effect.exit(runs.getSession({ accountId, runnerKeyId, id })),
            ({ _tag }) => _tag
          )

          yield* passes(Duration.minutes(23 * 60 + 30))
          yield* Effect.forEach([one, other], (at) => sweeps.prune("expired", { at, limit: plenty }))
          const early = yield* isKnown
          yield* passes("30 minutes")
          yield* sweeps.prune("expired", { at: other, limit: plenty })

          assert.deepStrictEqual([early, yield* isKnown], ["Success", "Failure"])
        })
    )
  })
})

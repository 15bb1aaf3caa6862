import { assert, describe, it } from "@effect/vitest"
import { Agents } from "@runhook/core/catalog/Agents"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Authentication } from "@runhook/core/keys/Authentication"
import { Changes } from "@runhook/core/accounts/Changes"
import { Executions } from "@runhook/core/executions/Executions"
import { Polling } from "@runhook/core/runs/claim/Polling"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { Runs } from "@runhook/core/runs/Runs"
import { Tasks } from "@runhook/core/catalog/Tasks"
import { cachedFor } from "@runhook/core/engine/LookupCache"
import {
  idsOf,
  inFlightOf,
  makeRunner,
  makeStartedRun,
  poll,
  pollNow
} from "@runhook/test-support/engine/Runner"
import { makeExecution, makeTenant, makeVersion, newCall, newKey } from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { parked, Processes } from "./Processes.ts"

describe("Of two processes on one database", () => {
  it.layer(Processes.layer, { timeout: "60 seconds" })((it) => {
    it.effect("one gives its waiting runner the work that the other queues, without time going by", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Processes
        const tenant = yield* Effect.provide(makeTenant(), one)
        const waiting = yield* Effect.gen(function* () {
          return yield* parked(poll(yield* makeRunner(tenant)))
        }).pipe(Effect.provide(one))

        const { id } = yield* Effect.provide(makeExecution(tenant), other)

        assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [id])
      })
    )

    it.effect(
      "one shows its runner again what the other gave under the same claim, although it had nothing",
      () =>
        Effect.gen(function* () {
          const { one, other } = yield* Processes
          const tenant = yield* Effect.provide(makeTenant(), one)
          const runner = yield* Effect.provide(makeRunner(tenant), one)
          const idle = yield* Effect.provide(parked(poll(runner)), one)
          const lost = yield* Effect.provide(parked(poll(runner, { claimId: "claim-1" })), other)
          yield* Fiber.join(idle)
          const { id } = yield* Effect.provide(makeExecution(tenant), other)
          yield* Fiber.join(lost)

          const again = yield* Effect.provide(pollNow(runner, { claimId: "claim-1" }), one)

          assert.deepStrictEqual(idsOf(again), [id])
        })
    )

    it.effect("one tells its waiting runner at once of the cancel that the other accepts", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Processes
        const { started, waiting } = yield* Effect.gen(function* () {
          const tenant = yield* makeTenant()
          const runner = yield* makeRunner(tenant)
          const { execution, held } = yield* makeStartedRun(tenant, runner)
          const inFlight = [inFlightOf(held)]
          return { started: execution, waiting: yield* parked(poll(runner, { inFlight, freeSlots: 0 })) }
        }).pipe(Effect.provide(one))

        yield* Effect.flatMap(Executions, (executions) =>
          executions.stop({ ...started, to: "aborted", reason: null })
        ).pipe(Effect.provide(other))

        const { commands } = yield* Fiber.join(waiting)
        assert.deepStrictEqual(
          commands.map(({ _tag }) => _tag),
          ["Cancel"]
        )
      })
    )

    it.effect("one tells those who follow an account what changes at the other", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Processes
        const tenant = yield* Effect.provide(makeTenant(), one)
        const { accountId } = tenant.caller
        const follow = Effect.provide(
          Changes.use((changes) => changes.follow({ accountId, after: null, key: null })),
          one
        )
        const { next } = yield* follow
        /** What is named next. A process that has just started has others told that something may have changed. */
        const named = Effect.gen(function* () {
          while (true) {
            const { news } = Option.getOrThrow(yield* next)
            const found = news.flatMap((each) => (each._tag === "Changed" ? [each.change] : []))
            if (found.length > 0) return found
          }
        }).pipe(TestClock.withLive)

        const { id } = yield* Effect.provide(makeExecution(tenant), other)
        const created = yield* named
        yield* Agents.use((agents) =>
          agents.update({ accountId, id: tenant.agent.id }, { state: "paused" })
        ).pipe(Effect.provide(other))
        const updated = yield* named

        const thing = { id, state: "queued", isNew: true }
        assert.deepStrictEqual(created, [{ accountId, kind: "execution", thing }])
        assert.deepStrictEqual(
          updated.map(({ kind }) => kind),
          ["agent"]
        )
      }).pipe(Effect.scoped)
    )

    it.effect("one answers its waiting caller when work is completed at the other", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Processes
        const { execution, held } = yield* Effect.gen(function* () {
          const tenant = yield* makeTenant()
          return yield* makeStartedRun(tenant, yield* makeRunner(tenant))
        }).pipe(Effect.provide(other))
        const waiting = yield* Effect.gen(function* () {
          return yield* parked(
            (yield* Executions).awaitNews(execution, Duration.seconds(30), {
              show: Effect.succeed,
              key: null
            })
          )
        }).pipe(Effect.provide(one))

        yield* Effect.flatMap(Runs, (runs) =>
          runs.finish({ ...held, outcome: { _tag: "Completed", result: null } })
        ).pipe(Effect.provide(other))

        assert.strictEqual((yield* Fiber.join(waiting)).status, "completed")
      })
    )

    it.effect("either takes an epoch past what the database counts for a stale one, and for no other's", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const runner = yield* makeRunner(tenant)
        const { held } = yield* makeStartedRun(tenant, runner)
        const stale = { ...held, epoch: 2 ** 31 }
        const [runs, polling] = [yield* Runs, yield* Polling]
        const lost = [stale, { ...held, epoch: Number.MAX_SAFE_INTEGER }].map(inFlightOf)

        const refused = yield* Effect.all([
          Effect.flip(runs.start(stale)),
          Effect.flip(runs.giveBack({ ...stale, delay: Duration.zero })),
          Effect.flip(runs.finish({ ...stale, outcome: { _tag: "Cancelled", reason: null } }))
        ])
        const pulse = yield* polling.beat({ ...runner, inFlight: [...lost, inFlightOf(held)] })

        assert.deepStrictEqual(
          refused.map(({ _tag }) => _tag),
          ["LeaseLost", "LeaseLost", "LeaseLost"]
        )
        assert.deepStrictEqual(
          pulse.held.map(({ executionId }) => executionId),
          [held.id]
        )
        assert.deepStrictEqual(pulse.lost, lost)
      }).pipe((test) => Effect.flatMap(Processes, ({ one }) => Effect.provide(test, one)))
    )

    it.effect("one refuses an API key soon after the other has revoked it", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Processes
        const { key, record } = yield* Effect.gen(function* () {
          const { caller } = yield* makeTenant()
          return yield* (yield* ApiKeys).create(newKey(caller))
        }).pipe(Effect.provide(other))
        const use = Effect.flatMap(Authentication, ({ apiKey }) => apiKey(key)).pipe(Effect.provide(one))
        yield* use

        yield* Effect.flatMap(ApiKeys, (keys) => keys.revoke(record)).pipe(Effect.provide(other))
        yield* TestClock.adjust(cachedFor)

        assert.strictEqual((yield* Effect.flip(use))._tag, "Unauthorized")
      })
    )

    it.effect("one refuses a runner key soon after the other has revoked it", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Processes
        const { key, record } = yield* Effect.gen(function* () {
          const { accountId } = (yield* makeTenant()).caller
          return yield* (yield* RunnerKeys).create({ accountId, name: "Cellar", agentIds: null })
        }).pipe(Effect.provide(other))
        const use = Effect.flatMap(Authentication, ({ runnerKey }) => runnerKey(key)).pipe(
          Effect.provide(one)
        )
        yield* use

        yield* Effect.flatMap(RunnerKeys, (keys) => keys.revoke(record)).pipe(Effect.provide(other))
        yield* TestClock.adjust(cachedFor)

        assert.strictEqual((yield* Effect.flip(use))._tag, "Unauthorized")
      })
    )

    it.effect("one gives no more work to the poll of a runner whose key the other has revoked", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Processes
        const tenant = yield* Effect.provide(makeTenant(), one)
        const waiting = yield* Effect.gen(function* () {
          return yield* parked(poll(yield* makeRunner(tenant)))
        }).pipe(Effect.provide(one))
        yield* Effect.flatMap(RunnerKeys, (keys) => keys.revoke(tenant.runnerKey)).pipe(Effect.provide(other))
        yield* TestClock.adjust(cachedFor)

        yield* Effect.provide(makeExecution(tenant), other)

        assert.strictEqual((yield* Effect.flip(Fiber.join(waiting)))._tag, "Unauthorized")
      })
    )

    it.effect("one sees soon which version, task and agent the other has changed", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Processes
        const tenant = yield* Effect.provide(makeTenant(), other)
        const { accountId } = tenant.caller
        const create = Effect.flatMap(Executions, (executions) => executions.create(newCall(tenant))).pipe(
          Effect.provide(one)
        )
        const soon = TestClock.adjust(cachedFor)
        yield* create

        const version = yield* Effect.provide(makeVersion(tenant.task), other)
        yield* soon
        const { execution } = yield* create
        yield* Effect.flatMap(Tasks, (tasks) =>
          tasks.update({ accountId, taskId: tenant.task.id }, { enabled: false })
        ).pipe(Effect.provide(other))
        yield* soon
        const byTask = yield* Effect.flip(create)
        yield* Effect.flatMap(Tasks, (tasks) =>
          tasks.update({ accountId, taskId: tenant.task.id }, { enabled: true })
        ).pipe(Effect.provide(other))
        yield* Effect.flatMap(Agents, (agents) =>
          agents.update({ accountId, id: tenant.agent.id }, { state: "disabled" })
        ).pipe(Effect.provide(other))
        yield* soon
        const byAgent = yield* Effect.flip(create)

        assert.strictEqual(execution.taskVersionId, version.id)
        assert.deepStrictEqual([byTask._tag, byAgent._tag], ["TaskDisabled", "AgentDisabled"])
      })
    )
  })
})

/** What the writes of runners read, beside what they write. */
import { assert, describe, it } from "@effect/vitest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { TaskStore } from "@runhook/core/catalog/TaskStore"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { Runs } from "@runhook/core/runs/Runs"
import { engineOver, stores } from "@runhook/test-support/engine/Engine"
import { claimNext, makeRunner, pollNow } from "@runhook/test-support/engine/Runner"
import { makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const resultSchema = { type: "object", required: ["pages"] }
const completed = { _tag: "Completed", result: StoredJson.of({ pages: 3 }) } as const

/** Runs what is given with an engine that notes in `reads` what it reads from the stores. */
const watching = <A, E, R>(test: (reads: Array<string>) => Effect.Effect<A, E, R>) => {
  const reads: Array<string> = []
  const noting = <B, F>(name: string, read: Effect.Effect<B, F>) =>
    Effect.suspend(() => {
      reads.push(name)
      return read
    })
  const watched = Layer.mergeAll(
    Layer.effect(
      RunStore,
      Effect.map(RunStore, (store) =>
        RunStore.of({
          ...store,
          get: (ref) => noting("run", store.get(ref)),
          getSession: (ref) => noting("session", store.getSession(ref))
        })
      )
    ),
    Layer.effect(
      ExecutionStore,
      Effect.map(ExecutionStore, (store) =>
        ExecutionStore.of({
          ...store,
          get: (accountId, id) => noting("execution", store.get(accountId, id))
        })
      )
    ),
    Layer.effect(
      TaskStore,
      Effect.map(TaskStore, (store) =>
        TaskStore.of({ ...store, resolveVersion: (ref) => noting("version", store.resolveVersion(ref)) })
      )
    )
  ).pipe(Layer.provideMerge(stores))
  const engine = engineOver(watched)
  return Effect.suspend(() => test(reads)).pipe(Effect.provide(engine))
}

/** A runner of a key that may serve the tenant's agent alone. */
const makeNarrowRunner = Effect.fnUntraced(function* () {
  const tenant = yield* makeTenant({ version: { resultSchema } })
  const { accountId, id } = tenant.agent
  const { record } = yield* (yield* RunnerKeys).create({ accountId, name: "Narrow", agentIds: [id] })
  return { tenant, runner: yield* makeRunner({ runnerKey: record }) }
})

describe("work that this process gave", () => {
  it.effect("is started and ended without being read", () =>
    watching((reads) =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const { runner, tenant } = yield* makeNarrowRunner()
        yield* makeExecution(tenant)
        yield* makeExecution(tenant)
        const held = [yield* claimNext(runner), yield* claimNext(runner)]
        reads.length = 0

        for (const each of held) {
          yield* runs.start(each)
          yield* runs.finish({ ...each, outcome: completed })
        }

        assert.deepStrictEqual(reads, ["version"])
      })
    )
  )

  it.effect("is read when its result is about to be refused, and once it has ended", () =>
    watching((reads) =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const { runner, tenant } = yield* makeNarrowRunner()
        yield* makeExecution(tenant)
        const held = yield* claimNext(runner)
        yield* runs.start(held)
        reads.length = 0

        const broken = { _tag: "Completed", result: StoredJson.of({}) } as const
        const refused = yield* Effect.flip(runs.finish({ ...held, outcome: broken }))
        const readForRefusal = reads.splice(0)
        yield* runs.finish({ ...held, outcome: completed })
        const repeated = yield* runs.finish({ ...held, outcome: completed })

        assert.strictEqual(refused._tag, "InvalidParams")
        assert.include(refused.message, "The result does not")
        assert.deepStrictEqual(readForRefusal, ["version", "run"])
        assert.isFalse(repeated.changed)
        assert.deepStrictEqual(reads, ["execution", "run"])
      })
    )
  )

  it.effect("of another account is known to nobody", () =>
    watching((reads) =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const { runner, tenant } = yield* makeNarrowRunner()
        yield* makeExecution(tenant)
        const held = yield* claimNext(runner)
        const stranger = yield* makeTenant({ version: { resultSchema } })

        const error = yield* Effect.flip(
          runs.finish({
            ...held,
            key: stranger.runnerKey,
            outcome: { _tag: "Completed", result: StoredJson.of({}) }
          })
        )

        assert.strictEqual(error._tag, "ExecutionNotFound")
        assert.notInclude(reads, "version")
      })
    )
  )

  it.effect("is asked for by a session that is looked up once", () =>
    watching((reads) =>
      Effect.gen(function* () {
        const runner = yield* makeRunner(yield* makeTenant())
        reads.length = 0

        yield* pollNow(runner)
        yield* pollNow(runner)

        assert.deepStrictEqual(reads, ["session"])
      })
    )
  )
})

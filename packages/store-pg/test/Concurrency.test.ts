import { assert, describe, it } from "@effect/vitest"
import type { Execution } from "@runhook/core/domain/Execution"
import type { Outcome } from "@runhook/core/domain/Finishing"
import type { Run } from "@runhook/core/domain/Run"
import { AgentStore } from "@runhook/core/ports/AgentStore"
import { DeliveryStore, roomFor } from "@runhook/core/ports/DeliveryStore"
import { ExecutionStore } from "@runhook/core/ports/ExecutionStore"
import { RunStore } from "@runhook/core/ports/RunStore"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import {
  anExecution,
  aTenant,
  callbackUrl,
  newExecution,
  second,
  type Tenant,
  unlimited
} from "@runhook/store-testing/Fixtures"
import { aSession, claimUpTo, lease, newQuestion, writeTo } from "@runhook/store-testing/RunFixtures"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { brokenRules } from "./Invariants.ts"
import { layerMigrated } from "./TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provide(Layer.succeed(StoreClock, "caller")),
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(layerMigrated)
)

/** How many of the runs claimed last the verbs are about: few, so that they meet. */
const aboutMax = 6

const oneOf = <A>(items: ReadonlyArray<A>) =>
  Effect.map(Random.nextIntBetween(0, Math.max(items.length, 1)), (place) => items[place])

/** Everything that may happen to executions of a tenant, at an instant. What often happens is there more than once. */
const makeVerbs = Effect.fnUntraced(function* (tenant: Tenant) {
  const executions = yield* ExecutionStore
  const runs = yield* RunStore
  const sweeps = yield* SweepStore
  const agents = yield* AgentStore
  const deliveries = yield* DeliveryStore
  const session = yield* aSession(tenant)
  const { accountId, agentId: id } = tenant
  const claimed: Array<Run> = []
  const held: Array<Execution> = []

  /** Does something to a run that was claimed lately, if it lets itself be done. */
  const toRun = <A, E, R>(write: (run: Run) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(oneOf(claimed.slice(-aboutMax)), (run) =>
      run === undefined ? Effect.void : Effect.exit(write(run))
    )

  return (at: DateTime.Utc, step: number) => {
    const create = anExecution(tenant, { callbackUrl, createdAt: at, maxAttempts: 3, timeoutSeconds: 20 })
    const claim = Effect.map(claimUpTo(session, { limit: 2, at }), ({ claims }) => {
      claimed.push(...claims.map(({ run }) => run))
    })
    const start = toRun((run) => runs.start({ ...writeTo(run, at), lease }))
    const finish = (outcome: Outcome) =>
      toRun((run) => runs.finish({ ...writeTo(run, at), outcome, fingerprint: outcome._tag }))
    return [
      create,
      create,
      create,
      claim,
      claim,
      claim,
      start,
      start,
      start,
      finish({ _tag: "Completed", result: { step } }),
      finish({ _tag: "Failed", message: "no such page", isRetryable: true }),
      toRun((run) => runs.giveBack({ ...writeTo(run, at), delay: Duration.seconds(step % 2) })),
      toRun((run) =>
        Effect.flatMap(newQuestion(at, { mode: step % 2 === 0 ? "hold" : "release" }), (input) =>
          runs.ask({ ...writeTo(run, at), input })
        )
      ),
      toRun(({ execution }) =>
        Effect.flatMap(executions.inputs(accountId, execution.id), (inputs) =>
          Effect.forEach(inputs, (input) =>
            executions.answer({ accountId, id: execution.id, inputId: input.id, value: step, at })
          )
        )
      ),
      toRun(({ execution }) =>
        executions.stop({ accountId, id: execution.id, to: "aborted", reason: null, at })
      ),
      Effect.map(anExecution(tenant, { callbackUrl, createdAt: at, status: "pending" }), (one) =>
        held.push(one)
      ),
      Effect.flatMap(oneOf(held.slice(-aboutMax)), (one) =>
        one === undefined ? Effect.void : executions.release({ accountId, id: one.id, at })
      ),
      anExecution(tenant, {
        createdAt: at,
        scheduledAt: DateTime.add(at, { seconds: 3 }),
        priority: step % 3
      }),
      anExecution(tenant, {
        callbackUrl,
        createdAt: at,
        expiresAt: DateTime.add(at, { seconds: 2 }),
        priority: -1
      }),
      sweeps.expireLeases({ at: DateTime.add(at, { seconds: step % 80 }), limit: 10 }),
      sweeps.timeOutRuns({ at, limit: 10 }),
      sweeps.expireInputs({ at: DateTime.add(at, { seconds: step % 80 }), limit: 10 }),
      sweeps.expireExecutions({ at, limit: 10 }),
      agents.update({ accountId, id, at, change: { capacity: 1 + (step % 9) } }),
      deliveries.claimDue({ room: roomFor(5), lease: Duration.seconds(5), at }),
      Effect.flatMap(newExecution(tenant, { createdAt: at }), (execution) =>
        Effect.exit(
          executions.create({
            ...unlimited,
            accountMaxLive: 200,
            execution,
            idempotency: {
              key: `key-${step % 5}`,
              fingerprint: "same",
              expiresAt: DateTime.add(at, { seconds: 4 })
            }
          })
        )
      )
    ]
  }
})

const stepsOfWalker = 150

describe("PostgreSQL under concurrent verbs", () => {
  it.layer(stores)((it) => {
    it.effect(
      "keeps every row in step with every other",
      () =>
        Effect.gen(function* () {
          const tenant = yield* aTenant({ capacity: 4 })
          const verbsAt = yield* makeVerbs(tenant)
          const walker = Effect.gen(function* () {
            for (let step = 0; step < stepsOfWalker; step++) {
              const verb = yield* oneOf(verbsAt(second(step / 8), step))
              if (verb !== undefined) yield* verb
            }
          })

          yield* Effect.all(
            Array.from({ length: 16 }, () => walker),
            { concurrency: "unbounded" }
          )

          assert.deepStrictEqual(yield* brokenRules, [])
        }),
      60_000
    )
  })
})

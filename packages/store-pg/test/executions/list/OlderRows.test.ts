/** Rows that processes of the version before have written, and write while both run. */
import { assert, describe, it } from "@effect/vitest"
import type { ExecutionStatus } from "@runhook/core/domain/execution/ExecutionStatus"
import { ExecutionStore } from "@runhook/core/ports/ExecutionStore"
import { HistoryStore } from "@runhook/core/ports/HistoryStore"
import { RunStore } from "@runhook/core/ports/RunStore"
import { UsageStore } from "@runhook/core/ports/UsageStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { anyExecution, aTenant, second } from "@runhook/store-testing/Fixtures"
import { aStartedRun, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated } from "../../TestDatabase.ts"

const layer = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(Layer.merge(layerMigrated, Layer.succeed(StoreClock, "caller")))
)

/** A run that is listed as running, as the version before lists it. */
const anOlderRun = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tenant = yield* aTenant()
  const { run } = yield* aStartedRun(tenant, { maxAttempts: 2 })
  yield* sql`UPDATE execution_status SET status = 'running' WHERE execution_id = ${run.execution.id}::uuid`
  const listed = Effect.fnUntraced(function* (...statuses: ReadonlyArray<ExecutionStatus>) {
    const store = yield* ExecutionStore
    const { items } = yield* store.list(
      tenant.accountId,
      { ...anyExecution, statuses },
      { after: null, limit: 9 }
    )
    return items.map(({ id }) => id)
  })
  return { tenant, run, id: run.execution.id, listed }
})

describe("Executions of the version before", () => {
  it.layer(layer)((it) => {
    it.effect(
      "that are listed as running are found as what they are, while they run and when they wait again",
      () =>
        Effect.gen(function* () {
          const runs = yield* RunStore
          const { id, listed, run } = yield* anOlderRun

          const running = [
            yield* listed("running"),
            yield* listed("queued"),
            yield* listed("queued", "running")
          ]
          const outcome = { _tag: "Failed", message: "Broken", isRetryable: true } as const
          yield* runs.finish({ ...writeTo(run, second(3)), outcome, fingerprint: "one" })
          const waiting = [
            yield* listed("running"),
            yield* listed("queued"),
            yield* listed("queued", "running")
          ]

          assert.deepStrictEqual(
            { running, waiting },
            { running: [[id], [], [id]], waiting: [[], [id], [id]] }
          )
        })
    )

    it.effect("that are listed as running count once", () =>
      Effect.gen(function* () {
        const usage = yield* UsageStore
        const { tenant } = yield* anOlderRun

        const { queued, running } = yield* usage.standing({ accountId: tenant.accountId, at: second(3) })

        assert.deepStrictEqual({ queued, running }, { queued: 0, running: 1 })
      })
    )

    it.effect("have been created once, whether that was stored or not", () =>
      Effect.gen(function* () {
        const history = yield* HistoryStore
        const sql = yield* SqlClient
        const { id, tenant } = yield* anOlderRun
        const events = history.events({ accountId: tenant.accountId, id, after: 0, limit: 9 })
        const before = yield* events
        yield* sql`
          INSERT INTO execution_events (bucket, execution_id, number, status, epoch, at, type, attempt)
          SELECT bucket, id, 1, 'queued', 0, created_at, 'created', 0
          FROM execution_requests
          WHERE id = ${id}::uuid`

        const after = yield* events

        assert.deepStrictEqual(after, before)
        assert.deepStrictEqual(
          after.map(({ type }) => type),
          ["created", "claimed", "started"]
        )
      })
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { databaseNow as answered } from "@runhook/store-pg/clock/DatabaseNow"
import { byBucket } from "@runhook/store-pg/database/Distribution"
import { attemptOf } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { callbackUrl, makeExecution, makeTenant } from "@runhook/store-testing/Fixtures"
import { lease, startDeadline, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { databaseNow, openedAt, stores, sweptAt } from "../clock/Skewed.ts"
import { makeProcess } from "../Process.ts"
import { Asked } from "./Asked.ts"

/** All that says what time it is. */
const clocks = /\bnow\(\)|_timestamp\(\)|\bcurrent_(time|date)|\blocaltime/i

/** All moments in the tables by bucket, by their columns. */
const moments = Effect.gen(function* () {
  const sql = yield* SqlClient
  const columns = yield* sql<{ readonly table: string; readonly column: string }>`
    SELECT table_name AS "table", column_name AS "column"
    FROM information_schema.columns
    WHERE table_name = ANY (${[...byBucket]}::text[]) AND data_type = 'timestamp with time zone'`
  const found = yield* Effect.forEach(columns, ({ column, table }) =>
    Effect.map(
      sql<{ readonly at: DateTime.Utc }>`
        SELECT ${sql(column)} AS at FROM ${sql(table)} WHERE ${sql(column)} IS NOT NULL`,
      (rows) => rows.map(({ at }) => ({ where: `${table}.${column}`, at }))
    )
  )
  return found.flat()
})

/** What happens to executions most often, from their creation to the answer of their receiver. */
const everything = Effect.fnUntraced(function* (at: DateTime.Utc) {
  const [executions, runs, deliveries] = [yield* ExecutionStore, yield* RunStore, yield* DeliveryStore]
  const tenant = yield* makeTenant()
  const { accountId } = tenant
  const session = yield* openedAt(tenant, at)
  yield* makeExecution(tenant, { createdAt: at, callbackUrl })
  const pending = yield* makeExecution(tenant, { createdAt: at, callbackUrl, status: "pending" })
  yield* executions.release({ accountId, id: pending.id, at })
  const { claims } = yield* runs.claim({ session, claimId: "claim", limit: 2, startDeadline, at })
  const ended = yield* Effect.forEach(claims, ({ run }) =>
    Effect.gen(function* () {
      const { epoch, id: executionId } = run.execution
      yield* runs.start({ ...writeTo(run, at), lease })
      const inFlight = [{ executionId, epoch }]
      const { held } = yield* runs.beat({ session, isDraining: false, inFlight, lease, at })
      const early = yield* sweptAt(at, run.execution)
      const outcome = { _tag: "Completed", result: null } as const
      const finished = yield* runs.finish({ ...writeTo(run, at), outcome, fingerprint: "same" })
      return [held.length, early, finished.run.execution.status]
    })
  )
  const tell = Effect.gen(function* () {
    const due = yield* deliveries.claimDue({ room: roomFor(100), lease, at })
    const settled = due.deliveries.map(({ delivery }) => ({
      accountId,
      attempt: attemptOf(delivery, { startedAt: at, status: 204, error: null }),
      verdict: { _tag: "Delivered" } as const
    }))
    yield* deliveries.settle(settled, at)
    return due.deliveries.map(({ delivery }) => delivery.type)
  })
  return { ended, told: yield* Effect.replicateEffect(tell, 4) }
})

describe("Workers whose clocks are a year off", () => {
  it.layer(Layer.provideMerge(Asked.layer, stores), { excludeTestServices: true })((it) => {
    it.effect("say so when they are asked", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const now = yield* databaseNow

        const asked = yield* sql<{ readonly at: DateTime.Utc }>`
          SELECT result::timestamptz AS at FROM run_command_on_workers('SELECT statement_timestamp()')`

        const days = asked.map(({ at }) => Math.round(Duration.toDays(DateTime.distance(now, at))))
        assert.sameMembers(days, [-365, 365])
      })
    )

    it.effect("change nothing of what is done and of what is recorded", () =>
      Effect.gen(function* () {
        const now = yield* databaseNow

        const done = yield* Effect.replicateEffect(Effect.flatMap(databaseNow, everything), 12)

        const one = [1, null, "completed"]
        const told = ["execution.queued", "execution.started", "execution.completed"].map((type) => [
          type,
          type
        ])
        for (const each of done) assert.deepStrictEqual(each, { ended: [one, one], told: [...told, []] })
        const recorded = yield* moments
        const far = recorded.filter(({ at }) => Math.abs(Duration.toDays(DateTime.distance(now, at))) > 60)
        assert.isAbove(recorded.length, 12 * 20)
        assert.deepStrictEqual(far, [])
      })
    )

    it.effect("are asked by no statement, but for what it answers to a store that goes by them", () =>
      Effect.gen(function* () {
        const { sentBy, url } = yield* Asked
        const process = yield* makeProcess({ clock: "database", url })

        const sent = yield* sentBy(process.does(everything(yield* databaseNow)))

        const texts = sent
          .map(({ text }) => text)
          .filter((text) => byBucket.some((table) => text.includes(table)))
        const asking = texts.filter((text) => clocks.test(text.replaceAll(answered, "")))
        assert.isAbove(texts.length, 10)
        assert.deepStrictEqual(asking, [])
      }).pipe(Effect.scoped)
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { patient } from "@runhook/store-pg/connections/Deadline"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { eventually } from "../Http.ts"
import { temporaryDirectory } from "../RunhookProcess.ts"
import { onDatabase, testPostgres } from "../TestPostgres.ts"
import { insist, makeTenant } from "./load/Asking.ts"
import type { Service } from "./load/Calls.ts"
import { memberOf } from "./systems/Member.ts"

const adminKey = "the-admin-key-of-the-durability-test"

/** In three requests: enough for a job to be at work when its process is killed. */
const batches = Array.from({ length: 3 }, () => 500)
const total = batches.reduce((sum, size) => sum + size)

describe("a job that cancels executions, of which both processes are killed", () => {
  it.live("cancels each once, counts each once, and leaves none", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const shared = {
        RUNHOOK_ADMIN_KEY: adminKey,
        RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory,
        RUNHOOK_DATABASE_URL: url,
        RUNHOOK_RATE_LIMIT: "off"
      }
      const [first, second] = [memberOf(shared, []), memberOf(shared, [])]
      for (const member of [first, second]) {
        yield* Effect.addFinalizer(() => Effect.promise(() => member.kill()))
        yield* Effect.promise(() => member.start())
      }
      const { agentId, apiKey: key, taskId } = yield* Effect.promise(() => makeTenant(first, adminKey))
      const ask = (service: Service, path: string, body?: object) =>
        Effect.promise(() =>
          insist(service, { key, path: `/integrations/executions${path}`, ...(body && { body }) })
        )
      const create = { agent_id: agentId, task_id: taskId, hold: true }
      yield* Effect.forEach(batches, (size) =>
        ask(first, "/batch", { items: Array.from({ length: size }, () => create) })
      )

      const { begun, job, matched } = yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const [middle] = yield* sql<{ readonly bucket: number; readonly id: string }>`
            SELECT bucket, id FROM executions ORDER BY id OFFSET ${total / 2} LIMIT 1`
        // The job comes as far as this one.
        yield* sql`
            SELECT FROM executions
            WHERE bucket = ${middle?.bucket}::smallint AND id = ${middle?.id}::uuid
            FOR UPDATE`
        const asked = yield* ask(first, "/cancel", { filter: { task_id: taskId } })
        const look = (service: Service) => ask(service, `/jobs/${asked.job_id}`)
        const seen = yield* eventually(look(second), ({ cancelled }) => cancelled > 0)
        yield* Effect.promise(() => Promise.all([first.kill(), second.kill()]))
        return { begun: seen, job: look, matched: asked.matched }
      }).pipe(
        (work) => SqlClient.use((sql) => sql.withTransaction(work)),
        patient(Duration.minutes(2)),
        (held) => onDatabase(url, held)
      )
      yield* Effect.promise(() => second.start())
      const over = yield* eventually(job(second), ({ finished_at }) => finished_at !== null)

      assert.strictEqual(matched, total)
      assert.isBelow(begun.cancelled, total)
      assert.deepInclude(over, { status: "completed", cancelled: total, skipped: 0, failed: 0 })
      const { data } = yield* ask(second, "?status=pending")
      assert.deepStrictEqual(data, [])
      const ends = yield* onDatabase(
        url,
        SqlClient.use(
          (sql) => sql`
              SELECT count(*)::integer AS ends, count(DISTINCT execution_id)::integer AS executions
              FROM execution_events WHERE status = 'aborted'`
        )
      )
      assert.deepStrictEqual(ends, [{ ends: total, executions: total }])
    })
  )
})

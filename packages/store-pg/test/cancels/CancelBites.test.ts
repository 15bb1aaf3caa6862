/** Bites of jobs that meet what nobody wishes: rows that cannot be read, and others who are quicker. */
import { assert, describe, it } from "@effect/vitest"
import { CancelStore } from "@runhook/core/cancels/CancelStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import {
  advance,
  current,
  finish,
  makeCancelJob,
  queuedOnes,
  statusesOf
} from "@runhook/store-testing/cancels/CancelFixtures"
import { makeExecution, makeTenant, second } from "@runhook/store-testing/Fixtures"
import { lease, makeClaimedRun, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { SqlClient } from "effect/sql/SqlClient"
import { heldOpen, waitsForLock } from "../runs/moves/HeldOpen.ts"
import { makeProcess } from "../Process.ts"
import { layerMigrated } from "../TestDatabase.ts"

describe("A bite of a job", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("counts executions as failed whose rows cannot be read, and cancels the others", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { does } = yield* makeProcess()
        const tenant = yield* does(makeTenant())
        const others = yield* does(queuedOnes(tenant, 2))
        const { id } = yield* does(makeExecution(tenant))
        yield* sql`UPDATE executions SET inputs = '[{}]' WHERE id = ${id}::uuid`

        const job = yield* does(Effect.flatMap(makeCancelJob(tenant), finish))

        assert.deepInclude(job, { status: "completed", cancelled: 2, skipped: 0, failed: 1 })
        assert.deepStrictEqual(yield* does(statusesOf(others)), ["aborted", "aborted"])
      })
    )

    it.effect("passes over an execution whose cancel fails at every try, and cancels the others", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { does } = yield* makeProcess()
        const tenant = yield* does(makeTenant())
        const [first, broken, last] = yield* does(queuedOnes(tenant, 3))
        const job = yield* does(makeCancelJob(tenant))
        yield* sql`
          CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'never'; END $$`
        yield* sql`
          CREATE TRIGGER refusal BEFORE UPDATE ON executions FOR EACH ROW
          WHEN (OLD.id = ${sql.literal(`'${broken?.id}'`)}) EXECUTE FUNCTION refuse()`
        const ofOne = [first, broken, last].filter((each) => each !== undefined)

        const ended = yield* does(finish(job))

        assert.deepInclude(ended, { status: "completed", cancelled: 2, skipped: 0, failed: 1 })
        assert.deepStrictEqual(yield* does(statusesOf(ofOne)), ["aborted", "queued", "aborted"])
        yield* sql`DROP TRIGGER refusal ON executions`
      })
    )

    it.effect("judges anew what somebody changed meanwhile, and skips what no longer matches", () =>
      Effect.gen(function* () {
        const { does } = yield* makeProcess()
        const other = yield* makeProcess()
        const tenant = yield* does(makeTenant())
        const { run } = yield* does(makeClaimedRun(tenant))
        const queued = yield* does(queuedOnes(tenant, 1))
        const job = yield* does(makeCancelJob(tenant, { statuses: ["queued"] }))
        const starts = RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease }))

        const biting = yield* does(
          heldOpen(starts, Effect.tap(Effect.forkChild(other.does(advance(10))), waitsForLock))
        )
        yield* Fiber.join(biting)

        assert.deepInclude(yield* does(current(job)), { cancelled: 1, skipped: 1, failed: 0 })
        assert.deepStrictEqual(yield* does(statusesOf([run.execution, ...queued])), ["running", "aborted"])
        yield* does(finish(job))
      })
    )

    it.effect("fails for a job that cannot be read, and every other job is still found", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { does } = yield* makeProcess()
        const store = yield* does(CancelStore)
        const [broken, job] = yield* does(
          Effect.replicateEffect(
            Effect.flatMap(makeTenant(), (tenant) => makeCancelJob(tenant)),
            2
          )
        )
        yield* sql`UPDATE cancel_jobs SET asked = '{}' WHERE id = ${broken?.id ?? null}::uuid`

        const due = yield* store.due({ limit: 10, at: second(101) })
        const bitten = yield* Effect.filter(due, (each) =>
          Effect.map(
            Effect.exit(store.advance(each, { limit: 1, seenMax: 1, at: second(101) })),
            Exit.isSuccess
          )
        )

        const idsOf = (jobs: ReadonlyArray<{ readonly id: string } | undefined>) =>
          jobs.map((each) => each?.id)
        assert.sameMembers(idsOf(due), idsOf([broken, job]))
        assert.deepStrictEqual(idsOf(bitten), idsOf([job]))
      })
    )
  })
})

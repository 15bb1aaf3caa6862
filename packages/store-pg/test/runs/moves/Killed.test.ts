/** A process that is killed while it moves an execution. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { execPath } from "node:process"
import { createInterface } from "node:readline"
import { assert, describe, it } from "@effect/vitest"
import type { Run } from "@runhook/core/runs/Run"
import { RunStore } from "@runhook/core/runs/RunStore"
import { bucketOfNew } from "@runhook/store-pg/accounts/Buckets"
import { callbackUrl, eventsOf, makeTenant, second } from "@runhook/store-testing/Fixtures"
import { makeStartedRun, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { brokenRules } from "../../Invariants.ts"
import { makeProcess } from "../../Process.ts"
import { storedRows } from "../../StoredRows.ts"
import { layerMigrated, TestDatabase } from "../../TestDatabase.ts"
import { done } from "./Done.ts"
import { heldOpen, somebodyWaits } from "./HeldOpen.ts"

const program = join(import.meta.dirname, "MovingProcess.ts")

/** A process that ends the run. Killed with the scope at the latest. */
const ending = Effect.fnUntraced(function* ({ execution }: Run) {
  const { url } = yield* TestDatabase
  const { accountId, epoch, id } = execution
  const said = yield* Queue.unbounded<string>()
  const ended = yield* Deferred.make<void>()
  const start = Effect.sync(() => {
    const child = spawn(execPath, [program, Redacted.value(url), accountId, id, String(epoch)], {
      stdio: ["pipe", "pipe", "inherit"]
    })
    createInterface({ input: child.stdout }).on("line", (line) => Queue.offerUnsafe(said, line))
    child.once("exit", () => Deferred.doneUnsafe(ended, Effect.void))
    return {
      goOn: Effect.sync(() => child.stdin.write("go on\n")),
      kill: Effect.andThen(
        Effect.sync(() => child.kill("SIGKILL")),
        Deferred.await(ended)
      )
    }
  })
  const process = yield* Effect.acquireRelease(start, ({ kill }) => kill)
  return { ...process, hear: Queue.take(said) }
})

const makeRun = () => Effect.flatMap(makeTenant(), (tenant) => makeStartedRun(tenant, { callbackUrl }))

describe("A process that is killed while it moves an execution", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("after it has read leaves nothing behind, and the next one goes on", () =>
      Effect.gen(function* () {
        const next = yield* makeProcess()
        const { run } = yield* next.does(makeRun())
        const before = yield* storedRows(run.execution.accountId)
        const killed = yield* ending(run)
        assert.strictEqual(yield* killed.hear, "read")

        yield* killed.kill

        assert.deepStrictEqual(yield* storedRows(run.execution.accountId), before)
        const { changed } = yield* next.does(
          RunStore.use((runs) => runs.finish({ ...writeTo(run, second(4)), ...done }))
        )
        assert.isTrue(changed)
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect(
      "while its statement is on its way leaves all of it or nothing, and its runner may ask again",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const next = yield* makeProcess()
          const { run } = yield* next.does(makeRun())
          const killed = yield* ending(run)

          assert.strictEqual(yield* killed.hear, "read")

          yield* heldOpen(
            sql`SELECT id FROM executions
              WHERE bucket = ${bucketOfNew(run.execution.accountId)}::smallint AND id = ${run.execution.id}::uuid
              FOR UPDATE`,
            // The first time it passes by what is locked, then it waits.
            Effect.andThen(killed.goOn, Effect.andThen(somebodyWaits, killed.kill))
          )

          const again = yield* next.does(
            RunStore.use((runs) => runs.finish({ ...writeTo(run, second(4)), ...done }))
          )
          assert.strictEqual(again.run.execution.status, "completed")
          assert.deepStrictEqual(yield* next.does(eventsOf(run.execution)), [
            "execution.queued",
            "execution.started",
            "execution.completed"
          ])
          assert.deepStrictEqual(yield* brokenRules, [])
        })
    )
  })
})

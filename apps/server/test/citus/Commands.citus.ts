/** An operator's way to Citus: what each command says there. */
import { assert, describe, it } from "@effect/vitest"
import { citus, createDatabase } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import { request } from "../Http.ts"
import { runhook, runningServer, temporaryDirectory } from "../RunhookProcess.ts"

const makeDatabase = () =>
  Effect.acquireRelease(
    Effect.promise(() => createDatabase({ template: citus?.bare })),
    (database) => Effect.promise(() => database[Symbol.asyncDispose]())
  )

describe("the commands on Citus", () => {
  it.live("serve only what `migrate` has distributed, and tell where it lies", () =>
    Effect.gen(function* () {
      const { url } = yield* makeDatabase()
      const environment = {
        RUNHOOK_DATABASE_URL: url,
        RUNHOOK_MODE: "development",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory
      }

      const refused = yield* runhook(["serve"], environment)
      const migrated = yield* runhook(["migrate"], environment)
      const again = yield* runhook(["migrate"], environment)
      const doctor = yield* runhook(["doctor"], environment)
      const { baseUrl } = yield* runningServer(environment, ["serve"])
      const { status } = yield* request(`${baseUrl}/readyz`)

      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /^runhook: RUNHOOK_DATABASE_URL: this is Citus, .*`runhook migrate`.*\n$/)
      assert.match(
        migrated.stdout,
        /Distributed \d+ tables over the nodes of Citus\nInstalled the functions [\w, ]+\n$/
      )
      assert.strictEqual(again.stdout, "Nothing to apply: the schema is up to date\n")
      assert.match(
        doctor.stdout,
        /database {2}PostgreSQL .+ and Citus \S+, with 2 shards at \S+, 2 shards at \S+ answers/
      )
      assert.strictEqual(status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("refuse a worker, and name the coordinator", () =>
    Effect.gen(function* () {
      const { name, url } = yield* makeDatabase()
      const worker = new URL(`/${name}`, citus?.workers[0])
      const environment = {
        RUNHOOK_DATABASE_URL: worker.href,
        RUNHOOK_MODE: "development",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory
      }

      const commands = ["serve", "migrate", "doctor"]
      const ended = yield* Effect.forEach(commands, (command) => runhook([command], environment))

      const refusal = `this is a worker of Citus, and Runhook works through the coordinator alone: name the coordinator (${new URL(url).host} to its workers) instead`
      for (const { code, stderr, stdout } of ended) {
        assert.strictEqual(code, 1)
        assert.include(stdout + stderr, `RUNHOOK_DATABASE_URL: ${refusal}\n`)
      }
    }).pipe(Effect.scoped)
  )
})

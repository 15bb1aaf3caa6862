import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { databaseIn, durableDirectory } from "../DurableDirectory.ts"
import { eventually } from "../Http.ts"
import { testPostgres } from "../TestPostgres.ts"
import { heldWork, isAlive, makeTenantAt, runningWorkers, sendBy } from "./Workers.ts"

const gone = (pids: ReadonlyArray<number>) =>
  eventually(
    Effect.sync(() => pids.filter(isAlive)),
    (left) => left.length === 0
  )

describe("a service of several workers", () => {
  it.live("answers what waits at all of them when it is told to stop, and ends in order", () =>
    Effect.gen(function* () {
      const server = yield* runningWorkers({ RUNHOOK_DATABASE_URL: (yield* testPostgres).url })
      const tenant = yield* makeTenantAt(server.baseUrl)
      const send = sendBy(server.baseUrl, false)
      const path = "/api/v1/integrations/executions"
      const created = yield* Effect.promise(() => send({ path, key: tenant.apiKey, body: heldWork(tenant) }))
      const { execution_id: id } = JSON.parse(created.text)
      const waits = Array.from({ length: 8 }, () =>
        send({ path: `${path}/${id}?wait=60`, key: tenant.apiKey })
      )
      // Answered after the waits, which were sent before, have arrived.
      yield* Effect.promise(() =>
        Promise.all(Array.from({ length: 8 }, () => send({ path: "/livez", key: tenant.apiKey })))
      )
      const workers = [yield* server.pidOf(1), yield* server.pidOf(2)]

      server.signal("SIGTERM")
      const answers = yield* Effect.promise(() => Promise.all(waits))
      const { code } = yield* server.ended

      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        answers.map(() => 200)
      )
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(workers.filter(isAlive), [])
    })
  )

  it.live("ends at once at a second signal, with its workers and its database", () =>
    Effect.gen(function* () {
      const dataDir = yield* durableDirectory
      const server = yield* runningWorkers({ RUNHOOK_DATA_DIR: dataDir, RUNHOOK_STOP_NOTICE: "300" })
      const workers = [yield* server.pidOf(1), yield* server.pidOf(2)]
      const database = (yield* databaseIn(dataDir)) ?? 0

      server.signal("SIGTERM")
      yield* server.logged('"Stopping","worker":1')
      // Whatever it is told, it does not hear it.
      process.kill(workers[1] ?? 0, "SIGSTOP")
      // What comes within half a second counts as one.
      yield* eventually(
        Effect.sync(() => {
          server.signal("SIGTERM")
          return workers.filter(isAlive)
        }),
        (left) => left.length === 0
      )
      const { code } = yield* server.ended

      assert.strictEqual(code, 130)
      yield* gone([database])
      assert.isUndefined(yield* databaseIn(dataDir))
    })
  )

  it.live("leaves no worker and no database behind when its parent is killed", () =>
    Effect.gen(function* () {
      const dataDir = yield* durableDirectory
      const server = yield* runningWorkers({ RUNHOOK_DATA_DIR: dataDir })
      const workers = [yield* server.pidOf(1), yield* server.pidOf(2)]
      const database = (yield* databaseIn(dataDir)) ?? 0

      server.signal("SIGKILL")

      yield* gone([...workers, database])
      const again = yield* runningWorkers({ RUNHOOK_DATA_DIR: dataDir })
      assert.isTrue(isAlive(yield* again.pidOf(1)))
    })
  )
})

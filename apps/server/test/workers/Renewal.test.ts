import { Agent } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Caller, makeCaller } from "../Caller.ts"
import { eventually } from "../Http.ts"
import { onDatabase, testPostgres } from "../TestPostgres.ts"
import {
  adminKey,
  countIn,
  isAlive,
  loading,
  metricsOf,
  more,
  pidsIn,
  runningWorkers,
  sendBy
} from "./Workers.ts"

/** As a newer release leaves it: no worker of this one can start on it. */
const newer = SqlClient.use(
  (sql) => sql`INSERT INTO runhook_migrations (migration_id, name) VALUES (9000, 'later')`
)

/** What a caller has heard once one more request is answered, or its connection has ended. */
const answerTo = ({ heard, socket }: Caller) =>
  Effect.suspend(() => {
    const before = heard().length
    if (socket.writable) socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return eventually(
      Effect.sync(heard),
      (text) => text.slice(before).includes('"status":"ok"') || !socket.writable
    )
  })

/**
 * A check that took more than its two seconds: what a machine without time to spare says of itself. Of a worker whose
 * database is gone, the requests for accounts fail as well.
 */
const isSlow = (failure: string): boolean => failure.includes('"details":{"missing":[')

const isLast = (heard: string): boolean => /connection: close/i.test(heard)

describe("workers that are replaced at SIGHUP", () => {
  it.live(
    "lose no request, on connections that are kept and on new ones, are ready all the time, and nothing they counted is forgotten",
    () =>
      Effect.gen(function* () {
        const server = yield* runningWorkers({
          RUNHOOK_DATABASE_URL: (yield* testPostgres).url,
          RUNHOOK_STOP_NOTICE: "2"
        })
        const makeConnection = () =>
          Effect.acquireRelease(
            Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 1 })),
            (agent) => Effect.sync(() => agent.destroy())
          )
        const kept = yield* Effect.replicateEffect(makeConnection(), 8)
        const before = [yield* server.pidOf(1), yield* server.pidOf(2)]
        let accounts = 0
        const load = yield* loading(
          [...kept, false as const, false as const].flatMap((by) => {
            const send = sendBy(server.baseUrl, by)
            const account = async () => {
              const answer = await send({
                path: "/api/v1/admin/accounts",
                key: adminKey,
                body: { name: "Busy" }
              })
              accounts += 1
              return answer
            }
            return [account, () => send({ path: "/readyz", key: adminKey })]
          })
        )
        yield* more(load, 50)

        server.signal("SIGHUP")
        yield* server.logged("All workers are replaced")
        yield* more(load, 50)
        yield* load.stop

        const counted = yield* eventually(
          Effect.map(metricsOf(server.baseUrl), (metrics) => countIn(metrics, "POST", 201)),
          (count) => count >= accounts
        )
        const after = [yield* server.pidOf(1, before), yield* server.pidOf(2, before)]
        assert.deepStrictEqual(
          load.failures.filter((failure) => !isSlow(failure)),
          []
        )
        assert.strictEqual(counted, accounts)
        assert.deepStrictEqual(before.map(isAlive), [false, false])
        assert.deepStrictEqual(after.map(isAlive), [true, true])
      })
  )

  it.live("get no more connections from the moment that another is there", () =>
    Effect.gen(function* () {
      const server = yield* runningWorkers({
        RUNHOOK_DATABASE_URL: (yield* testPostgres).url,
        RUNHOOK_STOP_NOTICE: "300"
      })
      const before = yield* server.pidOf(1)
      const kept = yield* Effect.replicateEffect(makeCaller(server.baseUrl), 8)
      yield* Effect.forEach(kept, answerTo)
      server.signal("SIGHUP")
      yield* server.pidOf(1, [before])
      // Only the worker that is replaced ends connections with its answers.
      yield* eventually(Effect.forEach(kept, answerTo), (answers) => answers.some(isLast))

      const fresh = yield* Effect.replicateEffect(makeCaller(server.baseUrl), 8)
      const answers = yield* Effect.forEach(fresh, answerTo)

      assert.isTrue(isAlive(before))
      assert.deepStrictEqual(answers.filter(isLast), [])
    })
  )

  it.live("stay when the new one cannot start", () =>
    Effect.gen(function* () {
      const database = yield* testPostgres
      const server = yield* runningWorkers({ RUNHOOK_DATABASE_URL: database.url })
      const before = [yield* server.pidOf(1), yield* server.pidOf(2)]
      yield* onDatabase(database.url, newer)

      server.signal("SIGHUP")
      yield* server.logged("A new worker 1 ended with exit code 1 before it answered; the one before goes on")

      const { status } = yield* Effect.promise(() =>
        sendBy(server.baseUrl, false)({ path: "/readyz", key: adminKey })
      )
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        [1, 2].map((worker) => pidsIn(server.log(), worker)),
        before.map((pid) => [pid])
      )
    })
  )
})

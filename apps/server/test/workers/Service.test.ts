import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { databaseIn, durableDirectory } from "../DurableDirectory.ts"
import { eventually, request } from "../Http.ts"
import { runhook } from "../RunhookProcess.ts"
import { asked, problemsIn, queryableIn } from "../observability/Prometheus.ts"
import { testPostgres } from "../TestPostgres.ts"
import {
  adminKey,
  countIn,
  heldWork,
  makeTenantAt,
  metricsOf,
  runningWorkers,
  sendBy,
  settingsOf
} from "./Workers.ts"

describe("several workers", () => {
  it.live("answer on one port as one service, whose log says which of them", () =>
    Effect.gen(function* () {
      const server = yield* runningWorkers({ RUNHOOK_DATABASE_URL: (yield* testPostgres).url })
      const send = sendBy(server.baseUrl, false)
      const lines = () =>
        server
          .log()
          .split("\n")
          .filter((line) => line.startsWith("{"))
          .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
      const answeredBy = () =>
        new Set(lines().flatMap(({ message, worker }) => (message === "Request" ? [worker] : [])))

      const ready = yield* request(`${server.baseUrl}/readyz`)
      const answers = yield* Effect.promise(() =>
        Promise.all(Array.from({ length: 12 }, () => send({ path: "/api/v1/admin/accounts", key: adminKey })))
      )
      const counted = yield* eventually(
        metricsOf(server.baseUrl),
        (metrics) => countIn(metrics, "GET", 200) >= answers.length
      )
      server.signal("SIGTERM")
      const { code } = yield* server.ended

      assert.strictEqual(ready.status, 200)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        answers.map(() => 200)
      )
      assert.strictEqual(countIn(counted, "GET", 200), answers.length)
      assert.include(counted, 'runhook_webhook_oldest_due_age_seconds{worker="1"} 0')
      assert.include(counted, 'runhook_webhook_oldest_due_age_seconds{worker="2"} 0')
      assert.deepStrictEqual(lines().filter(({ message }) => message === "Listening").length, 1)
      assert.isTrue(answeredBy().has(1) && answeredBy().has(2), server.log())
      assert.strictEqual(code, 0)
    })
  )

  it.live(
    "share a database that their parent owns, with the lock on its folder, and measure what operators watch",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* durableDirectory
        const server = yield* runningWorkers({ RUNHOOK_DATA_DIR: dataDir })
        const tenant = yield* makeTenantAt(server.baseUrl)
        const send = sendBy(server.baseUrl, false)
        const created = yield* Effect.promise(() =>
          Promise.all(
            Array.from({ length: 8 }, (_, place) =>
              send({
                path: "/api/v1/integrations/executions",
                key: tenant.apiKey,
                body: { ...heldWork(tenant), hold: place > 0 }
              })
            )
          )
        )

        const second = yield* runhook(["serve"], { ...settingsOf({}), RUNHOOK_DATA_DIR: dataDir })
        const other = yield* runhook(["serve"], {
          ...settingsOf({ RUNHOOK_WORKERS: "1" }),
          RUNHOOK_DATA_DIR: dataDir
        })
        const waiting = /^runhook_queue_depth\{agent_id="[^"]+",worker="\d"\} 1$/m
        const metrics = yield* eventually(metricsOf(server.baseUrl), (text) => waiting.test(text))
        server.signal("SIGTERM")
        const { code } = yield* server.ended

        const known = queryableIn(metrics)
        assert.isAbove(asked.size, 20)
        assert.deepStrictEqual(problemsIn(metrics), [])
        assert.deepStrictEqual(
          [...asked].filter((name) => !known.has(name)),
          []
        )
        assert.deepStrictEqual(
          created.map(({ status }) => status),
          created.map(() => 201)
        )
        for (const refused of [second, other]) {
          assert.strictEqual(refused.code, 1)
          assert.match(refused.stderr, /^runhook: RUNHOOK_DATA_DIR: .*in use/m)
        }
        assert.strictEqual(code, 0)
        assert.isUndefined(yield* databaseIn(dataDir))
      })
  )

  it.live("do not start on a port that is taken, and say so once, before a database is prepared", () =>
    Effect.gen(function* () {
      const server = yield* runningWorkers({ RUNHOOK_DATABASE_URL: (yield* testPostgres).url })
      const dataDir = yield* durableDirectory

      const refused = yield* runhook(["serve"], {
        ...settingsOf({}),
        RUNHOOK_DATA_DIR: dataDir,
        RUNHOOK_PORT: new URL(server.baseUrl).port
      })

      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /^runhook: RUNHOOK_PORT \d+ is in use on 127\.0\.0\.1[^\n]*\n$/)
    })
  )

  it.live("that cannot start are told of once, with exit code 1", () =>
    Effect.gen(function* () {
      const dataDir = yield* durableDirectory
      const refused = yield* runhook(["serve"], {
        ...settingsOf({ RUNHOOK_DATABASE_URL: "postgres://nobody:wrong@127.0.0.1:9/nothing" }),
        RUNHOOK_DATA_DIR: dataDir,
        RUNHOOK_DATABASE_TIMEOUT: "1"
      })

      assert.strictEqual(refused.code, 1)
      assert.strictEqual(refused.stderr.match(/^runhook: RUNHOOK_DATABASE_URL/gm)?.length, 1)
      assert.include(
        refused.stderr,
        "runhook: The first worker ended with exit code 1 before it answered requests"
      )
    })
  )
})

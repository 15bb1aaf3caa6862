import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type Balanced, balancing } from "./Balancer.ts"
import { eventually } from "./Http.ts"
import { runningServer, temporaryDirectory } from "./RunhookProcess.ts"
import { testPostgres } from "./TestPostgres.ts"

const adminKey = "an-admin-key-of-the-operator-himself"
const json = (key: string) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" })

const settingsOn = (url: string, dataDir: string) => ({
  RUNHOOK_ADMIN_KEY: adminKey,
  RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  RUNHOOK_DATA_DIR: dataDir,
  RUNHOOK_DATABASE_URL: url,
  RUNHOOK_ADMIN_RATE_LIMIT: "100000/s burst 1000000"
})

/** Between two requests of a caller, which leaves the processors to the server that starts. */
const rest = "50 millis"

describe("two servers behind a balancer", () => {
  it.live(
    "lose no request while one after the other is restarted under load",
    () =>
      Effect.gen(function* () {
        const settings = settingsOn((yield* testPostgres).url, yield* temporaryDirectory)
        const start = runningServer(settings)
        const running = [yield* start, yield* start]
        const servers: ReadonlyArray<Balanced> = running.map(({ baseUrl: url }) => ({ url, isReady: true }))
        const { send } = yield* balancing(servers)
        const refusals: Array<string> = []
        let answered = 0

        const account = (name: string) =>
          Effect.flatMap(
            send("/api/v1/admin/accounts", {
              method: "POST",
              headers: json(adminKey),
              body: JSON.stringify({ name })
            }),
            (answer) =>
              Effect.promise(async () => {
                const text = await answer.text()
                if (answer.status === 201) answered += 1
                else refusals.push(`${answer.status} ${text}`)
              })
          )
        const load = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 8 }, (_, caller) =>
              Effect.forever(Effect.andThen(account(`Caller ${caller}`), Effect.sleep(rest)))
            ),
            { concurrency: "unbounded" }
          ),
          { startImmediately: true }
        )
        const loaded = Effect.suspend(() => {
          const before = answered
          return eventually(
            Effect.sync(() => answered - before),
            (more) => more >= 50
          )
        })

        for (const [index, server] of running.entries()) {
          yield* loaded
          server.signal("SIGTERM")
          const { code } = yield* server.ended
          assert.strictEqual(code, 0)
          yield* loaded
          const { baseUrl } = yield* start
          const balanced = servers[index]
          assert.isDefined(balanced)
          balanced.url = baseUrl
          yield* eventually(
            Effect.sync(() => balanced.isReady),
            (isReady) => isReady
          )
        }
        yield* loaded
        yield* Fiber.interrupt(load)

        assert.deepStrictEqual(refusals, [])
      }),
    150_000
  )
})

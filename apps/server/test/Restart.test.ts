import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { failing } from "./Callbacks.ts"
import { demoOf } from "./Demo.ts"
import { databaseIn, durableDirectory, newDirectory } from "./DurableDirectory.ts"
import { bodyOf, eventually, request } from "./Http.ts"
import { runhook, runningServer } from "./RunhookProcess.ts"
import { silentServer } from "./SilentServer.ts"

const settingsIn = (dataDir: string) => ({ RUNHOOK_MODE: "development", RUNHOOK_DATA_DIR: dataDir })

const durableSettings = Effect.map(durableDirectory, settingsIn)

const Executions = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })

const statusOf = (url: string, options: RequestInit = {}) =>
  Effect.map(request(url, options), ({ status }) => status)

describe("a server that keeps everything", () => {
  it.live("goes on after a stop with its key, its executions, their files and the deliveries that wait", () =>
    Effect.gen(function* () {
      const settings = settingsIn(yield* newDirectory)
      const receiver = yield* failing(1)
      const first = yield* runningServer(settings)
      const before = demoOf(first)
      const { execution_id: done } = yield* before.create()
      yield* before.finished(done)
      const { execution_id: held } = yield* before.create({ hold: true })
      yield* request(`${first.baseUrl}/api/v1/integrations/webhooks/test`, {
        method: "POST",
        headers: before.headers,
        body: JSON.stringify({ callback_url: receiver.url })
      })
      const [eventId] = yield* receiver.eventIds(1)
      first.signal("SIGTERM")
      const { code, stderr } = yield* first.ended

      const second = yield* runningServer(settings)

      const after = demoOf(second)
      const { prints, result, status } = yield* after.finished(done)
      assert.deepStrictEqual([code, after.key], [0, before.key])
      assert.notInclude(stderr, '"level":"error"')
      const preparing = "Preparing the database for the first time"
      assert.deepStrictEqual(
        [stderr, second.log()].map((log) => log.includes(preparing)),
        [true, false]
      )
      assert.include(first.banner, `Everything is kept in ${settings.RUNHOOK_DATA_DIR}`)
      assert.include(yield* after.welcome, `Everything is kept in ${settings.RUNHOOK_DATA_DIR}`)
      assert.deepStrictEqual([status, result?.["status"]], ["completed", 200])
      const { pathname } = new URL(prints[0]?.url ?? "")
      assert.strictEqual(
        yield* statusOf(second.baseUrl + pathname, { headers: after.headers, redirect: "follow" }),
        200
      )
      yield* request(`${after.executions}/${held}/release`, { method: "POST", headers: after.headers })
      assert.strictEqual((yield* after.finished(held)).status, "completed")
      assert.deepStrictEqual(yield* receiver.eventIds(2), [eventId, eventId])
    })
  )

  it.live("has everything it acknowledged after it was killed and its database left behind", () =>
    Effect.gen(function* () {
      const settings = yield* durableSettings
      const first = yield* runningServer(settings)
      const before = demoOf(first)
      const created = yield* Effect.replicateEffect(before.create({ hold: true }), 20, { concurrency: 8 })
      const { execution_id: told } = yield* before.create()
      yield* before.callbacks(told, 3)
      // What is on its way is sent again, but the next life listens elsewhere.
      yield* before.settled(told)
      first.signal("SIGKILL")
      yield* first.ended
      const left = yield* databaseIn(settings.RUNHOOK_DATA_DIR)

      const second = yield* runningServer(settings)

      const after = demoOf(second)
      const { data } = yield* Effect.flatMap(
        request(`${after.executions}?limit=200`, { headers: after.headers }),
        bodyOf(Executions)
      )
      assert.notStrictEqual(yield* databaseIn(settings.RUNHOOK_DATA_DIR), left)
      assert.sameMembers(
        data.map(({ id }) => id),
        [told, ...created.map(({ execution_id: id }) => id)]
      )
      assert.strictEqual((yield* after.delivered(told)).length, 3)
    })
  )

  it.live("goes on at once with the work of its own runner after it was killed in the middle of it", () =>
    Effect.gen(function* () {
      const settings = yield* durableSettings
      const page = yield* silentServer
      const first = yield* runningServer(settings)
      const { execution_id: id } = yield* demoOf(first).create({ params: { url: page.url } })
      yield* page.called
      first.signal("SIGKILL")
      yield* first.ended
      yield* page.becomeSite

      const second = yield* runningServer(settings)

      assert.strictEqual((yield* demoOf(second).finished(id)).status, "completed")
    })
  )

  it.live("has its data directory to itself", () =>
    Effect.gen(function* () {
      const settings = yield* durableSettings
      yield* runningServer(settings)

      const { code, stderr } = yield* runhook([], { ...settings, RUNHOOK_PORT: "0" })

      assert.strictEqual(code, 1)
      assert.strictEqual(
        stderr,
        `runhook: RUNHOOK_DATA_DIR: The database in ${settings.RUNHOOK_DATA_DIR}/postgres is in use by another process: stop that one, or choose another folder\n`
      )
    })
  )

  it.live("outlives a database of its own that is killed, and starts it again", () =>
    Effect.gen(function* () {
      const settings = yield* durableSettings
      const server = yield* runningServer(settings)
      const demo = demoOf(server)
      const ready = statusOf(`${server.baseUrl}/readyz`)
      const database = (yield* databaseIn(settings.RUNHOOK_DATA_DIR)) ?? 0

      process.kill(database, "SIGKILL")

      yield* eventually(databaseIn(settings.RUNHOOK_DATA_DIR), (pid) => pid !== database)
      yield* eventually(ready, (status) => status === 200)
      const { execution_id: id } = yield* demo.create()
      assert.strictEqual((yield* demo.finished(id)).status, "completed")
      assert.strictEqual((yield* demo.callbacks(id, 3)).length, 3)
    })
  )
})

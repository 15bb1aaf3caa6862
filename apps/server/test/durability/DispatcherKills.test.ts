import { once } from "node:events"
import { createServer } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { temporaryDirectory } from "../RunhookProcess.ts"
import { onDatabase, testPostgres } from "../TestPostgres.ts"
import { type Lives, livesOf } from "./Lives.ts"
import { insist, makeTenant } from "./Load.ts"
import { until } from "./Work.ts"

/** How often the dispatcher is killed. RUNHOOK_KILLS asks for more. */
const kills = Number(process.env["RUNHOOK_KILLS"] ?? 2)

/** How many callbacks it is to deliver meanwhile. RUNHOOK_DELIVERIES asks for more. */
const deliveries = Number(process.env["RUNHOOK_DELIVERIES"] ?? 600)

/** Origins among which they are spread, and milliseconds until each answers: always are many under way. */
const receivers = 8
const answerAfter = 20

/** Requests of the API at once. */
const callers = 16

const adminKey = "the-admin-key-of-the-durability-test"

describe("a dispatcher that is killed while it delivers", () => {
  it.live(
    `loses none of ${deliveries} callbacks in ${kills} kills, and repeats only what was under way`,
    () =>
      Effect.gen(function* () {
        const { url } = yield* testPostgres
        const settings = {
          RUNHOOK_ADMIN_KEY: adminKey,
          RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
          RUNHOOK_CALLBACK_ALLOW: "127.0.0.0/8",
          RUNHOOK_DATA_DIR: yield* temporaryDirectory,
          RUNHOOK_DATABASE_URL: url,
          // So much later does another life deliver what was under way.
          RUNHOOK_DELIVERY_LEASE: "5"
        }
        const api = livesOf({ ...settings, RUNHOOK_ROLES: "api" })
        const dispatcher = livesOf({ ...settings, RUNHOOK_ROLES: "dispatcher" })
        yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all([api.kill(), dispatcher.kill()])))

        const { arrived, queued, underWay } = yield* Effect.promise(() =>
          liveAndDie(api, dispatcher, () => Effect.runPromise(onDatabase(url, leased)))
        )

        const repeated = [...arrived].flatMap(([id, times]) => (times > 1 ? [id] : []))
        const times = [...arrived.values()].reduce((sum, each) => sum + each, 0)
        console.info(
          `${kills} kills: ${queued.length} callbacks arrived ${times} times, ${underWay.size} were under way`
        )
        assert.deepStrictEqual([...arrived.keys()].toSorted(), queued.toSorted())
        assert.deepStrictEqual(
          repeated.filter((id) => !underWay.has(id)),
          []
        )
        assert.isAtLeast(underWay.size, 1)
      }),
    { timeout: 120_000 + kills * 20_000 + deliveries * 20 }
  )
})

const Leased = Schema.Array(Schema.Struct({ delivery_id: Schema.String }))

/** The callbacks that some life has begun and not settled. */
const leased = SqlClient.use((sql) =>
  Effect.flatMap(
    sql`SELECT delivery_id FROM webhook_queue WHERE is_retry`,
    Schema.decodeUnknownEffect(Leased)
  )
)

const liveAndDie = async (
  api: Lives,
  dispatcher: Lives,
  look: () => Promise<typeof Leased.Type>
): Promise<{
  /** How often each event came. */
  readonly arrived: ReadonlyMap<string, number>
  readonly queued: ReadonlyArray<string>
  readonly underWay: ReadonlySet<string>
}> => {
  const arrived = new Map<string, number>()
  await using resources = new AsyncDisposableStack()
  const urls = await Promise.all(
    Array.from({ length: receivers }, () =>
      startReceiver(resources, (id) => arrived.set(id, (arrived.get(id) ?? 0) + 1))
    )
  )
  await api.start()
  const queued = await queue(api, urls)

  const underWay = new Set<string>()
  for (let kill = 1; kill <= kills; kill++) {
    await dispatcher.start()
    const enough = (deliveries * kill) / (kills + 1)
    await until(
      async () => arrived.size,
      (count) => count >= enough
    )
    await dispatcher.kill()
    for (const { delivery_id } of await look()) underWay.add(delivery_id)
  }
  await dispatcher.start()
  await until(
    async () => [arrived.size, (await look()).length],
    ([count, waiting]) => count === queued.length && waiting === 0
  )
  return { arrived, queued, underWay }
}

/** Queues all of them before the first is delivered; answers the ids of their events. */
const queue = async (api: Lives, urls: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { key } = await makeTenant(api, adminKey)
  const queued = new Array<string>()
  let begun = 0
  const call = async () => {
    while (begun < deliveries) {
      const body = { callback_url: urls[begun++ % urls.length] }
      const { event_id } = await insist(api, { key, path: "/integrations/webhooks/test", body })
      queued.push(event_id)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return queued
}

const startReceiver = async (
  resources: AsyncDisposableStack,
  tell: (id: string) => void
): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().once("end", async () => {
      tell(String(request.headers["x-webhook-event-id"]))
      await pause(answerAfter)
      response.end()
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  resources.defer(async () => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return `http://127.0.0.1:${port}/`
}

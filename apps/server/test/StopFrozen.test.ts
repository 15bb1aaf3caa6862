import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { aCaller } from "./Caller.ts"
import { demoOf } from "./Demo.ts"
import { freezablePostgres } from "./FrozenPostgres.ts"
import { bodyOf, request } from "./Http.ts"
import { runningServer, temporaryDirectory } from "./RunhookProcess.ts"
import { onDatabase } from "./TestPostgres.ts"

/** Milliseconds for a test that starts a database and a server. */
const patience = 120_000

const callers = 450
const runners = 50

const Opened = Schema.Struct({ session_id: Schema.String })
const DemoFile = Schema.fromJsonString(Schema.Struct({ runner_key: Schema.String }))
const Moments = Schema.Tuple([Schema.Struct({ at: Schema.NullOr(Schema.String) })])

/** When the database was last asked for something by the server. */
const lastAsked = SqlClient.use((sql) =>
  Effect.flatMap(
    sql`SELECT max(state_change)::text AS at FROM pg_stat_activity WHERE application_name = 'runhook'`,
    Schema.decodeUnknownEffect(Moments)
  )
)

/** Waits until polls have looked for the first time: then a process has nothing to ask for a while. */
const parked = (url: string) =>
  onDatabase(
    url,
    Effect.gen(function* () {
      const [before] = yield* lastAsked
      // Half a second, of which a hanging machine uses up a tenth.
      yield* Effect.repeat(Effect.sleep("50 millis"), { times: 9 })
      const [after] = yield* lastAsked
      return before.at === after.at
    }).pipe(
      Effect.repeat({ schedule: Schedule.forever, until: (isQuiet) => isQuiet }),
      Effect.timeout("30 seconds")
    )
  )

describe("a server that is told to stop while its database stands still", () => {
  it.live(
    "answers every poll by what was last read, and ends",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryDirectory
        const { freeze, url } = yield* freezablePostgres
        const server = yield* runningServer({
          RUNHOOK_MODE: "development",
          RUNHOOK_DATA_DIR: dataDir,
          RUNHOOK_DATABASE_URL: url,
          RUNHOOK_RATE_LIMIT: "off",
          RUNHOOK_RUNNER_RATE_LIMIT: "off"
        })
        const demo = demoOf(server)
        const { execution_id: held } = yield* demo.create({ hold: true })
        const { runner_key } = yield* Effect.promise(() => readFile(join(dataDir, "demo.json"), "utf8")).pipe(
          Effect.flatMap(Schema.decodeUnknownEffect(DemoFile))
        )
        const ask = `${server.baseUrl}/api/v1/runner/sessions`
        const headers = { authorization: `Bearer ${runner_key}`, "content-type": "application/json" }
        const sessions = yield* Effect.replicateEffect(
          Effect.flatMap(
            Effect.suspend(() =>
              request(ask, {
                method: "POST",
                headers,
                body: JSON.stringify({ instance_id: randomUUID(), runner_name: "parked", capacity: 1 })
              })
            ),
            bodyOf(Opened)
          ),
          runners
        )
        const polls = [
          ...Array.from({ length: callers }, () => waitFor(held, demo.key)),
          ...sessions.map(({ session_id }) => pollOf(session_id, runner_key))
        ]
        const waiting = yield* Effect.forEach(polls, (poll) =>
          Effect.tap(aCaller(server.baseUrl), ({ socket }) => Effect.sync(() => socket.write(poll)))
        )
        yield* parked(url)
        yield* freeze
        const begun = performance.now()

        server.signal("SIGTERM")

        const answers = yield* Effect.forEach(waiting, ({ ended }) => ended)
        console.info(
          `${answers.length} polls were answered within ${Math.round(performance.now() - begun)} ms`
        )
        const { code } = yield* server.ended
        console.info(`The server ended ${Math.round(performance.now() - begun)} ms after SIGTERM`)
        const heads = new Map<string, number>()
        for (const answer of answers) {
          const head = answer.slice(0, 12)
          heads.set(head, (heads.get(head) ?? 0) + 1)
        }
        assert.deepStrictEqual([...heads], [["HTTP/1.1 200", callers + runners]])
        assert.strictEqual(code, 0)
      }),
    patience
  )
})

const waitFor = (id: string, key: string): string =>
  `GET /api/v1/integrations/executions/${id}?wait=60 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`

const pollOf = (sessionId: string, key: string): string => {
  const body = JSON.stringify({
    session_id: sessionId,
    claim_id: randomUUID(),
    free_slots: 1,
    wait_ms: 60_000
  })
  return (
    `POST /api/v1/runner/claims HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}

import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { makeCaller, parked } from "./Caller.ts"
import { demoOf } from "./Demo.ts"
import { freezablePostgres } from "./FrozenPostgres.ts"
import { bodyOf, request } from "./Http.ts"
import { runningServer, temporaryDirectory } from "./RunhookProcess.ts"

const callers = 450
const runners = 50

const Opened = Schema.Struct({ session_id: Schema.String })
const DemoFile = Schema.fromJsonString(Schema.Struct({ runner_key: Schema.String }))

describe("a server that is told to stop while its database stands still", () => {
  it.live("answers every poll, what is read by what was last read, and ends", () =>
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
        Effect.tap(makeCaller(server.baseUrl), ({ socket }) => Effect.sync(() => socket.write(poll)))
      )
      // The demo's own runner polls as well.
      yield* parked(server.baseUrl, polls.length + 1)
      yield* freeze
      const begun = performance.now()

      server.signal("SIGTERM")

      const answers = yield* Effect.forEach(waiting, ({ ended }) => ended)
      console.info(`${answers.length} polls were answered within ${Math.round(performance.now() - begun)} ms`)
      const { code } = yield* server.ended
      console.info(`The server ended ${Math.round(performance.now() - begun)} ms after SIGTERM`)
      const heads = answers.map((answer) => answer.slice(0, 12))
      const [ofCallers, ofRunners] = [heads.slice(0, callers), heads.slice(callers)]
      assert.deepStrictEqual([...new Set(ofCallers)], ["HTTP/1.1 200"])
      // A look that the database did not answer may have taken something: its runner has to ask again.
      assert.deepStrictEqual(
        ofRunners.filter((head) => head !== "HTTP/1.1 200" && head !== "HTTP/1.1 503"),
        []
      )
      assert.strictEqual(code, 0)
    })
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

import { randomUUID } from "node:crypto"
import { Agent } from "node:http"
import { connect } from "node:net"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { testPostgres } from "../TestPostgres.ts"
import { heldWork, isAlive, loading, makeTenantAt, more, runningWorkers, sendBy } from "./Workers.ts"

const fault = fileURLToPath(new URL("Fault.ts", import.meta.url))

const withFault = (name: string, ...options: ReadonlyArray<string>) => ({
  TEST_FAULT: name,
  NODE_OPTIONS: [...options, `--import=${fault}`].join(" ")
})

const Created = Schema.fromJsonString(Schema.Struct({ execution_id: Schema.String }))
const Page = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Array(Schema.Struct({ id: Schema.String })),
    next_cursor: Schema.NullOr(Schema.String)
  })
)

const executions = "/api/v1/integrations/executions"

describe("a worker", { concurrent: true }, () => {
  it.live("that is killed under load loses nothing, and another takes its place", () =>
    Effect.gen(function* () {
      const server = yield* runningWorkers({ RUNHOOK_DATABASE_URL: (yield* testPostgres).url })
      const tenant = yield* makeTenantAt(server.baseUrl)
      const agent = new Agent({ keepAlive: true })
      const ids: Array<string> = []
      const wrong: Array<string> = []
      /** Until it is answered, under one key. */
      const create = async () => {
        const headers = { "idempotency-key": randomUUID() }
        for (;;) {
          const sent = { path: executions, key: tenant.apiKey, body: heldWork(tenant), headers }
          const answer = await sendBy(server.baseUrl, agent)(sent).catch(() => null)
          if (answer === null) continue
          if (answer.status > 299) wrong.push(answer.text)
          else ids.push(Schema.decodeUnknownSync(Created)(answer.text).execution_id)
          return answer
        }
      }
      const load = yield* loading(Array.from({ length: 8 }, () => create))
      yield* more(load, 50)
      const [first, second] = [yield* server.pidOf(1), yield* server.pidOf(2)]

      process.kill(first, "SIGKILL")
      yield* more(load, 50)
      const follower = yield* server.pidOf(1, [first])
      process.kill(second, "SIGKILL")
      yield* server.pidOf(2, [second])
      yield* more(load, 50)
      yield* load.stop
      agent.destroy()

      const stored = yield* Effect.promise(async () => {
        const found: Array<string> = []
        let cursor: string | null = ""
        while (cursor !== null) {
          const path: string = `${executions}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
          const { text } = await sendBy(server.baseUrl, false)({ path, key: tenant.apiKey })
          const page = Schema.decodeUnknownSync(Page)(text)
          found.push(...page.data.map(({ id }) => id))
          cursor = page.next_cursor
        }
        return found
      })
      assert.deepStrictEqual(wrong, [])
      assert.deepStrictEqual(stored.toSorted(), ids.toSorted())
      assert.isTrue(isAlive(follower))
      assert.include(server.log(), "Worker 1 ended by SIGKILL, and is started again")
    })
  )

  it.live(
    "that hangs is ended and begun anew, and the caller of a connection that it did not take is not left waiting",
    () =>
      Effect.gen(function* () {
        const url = (yield* testPostgres).url
        const server = yield* runningWorkers({ RUNHOOK_DATABASE_URL: url, ...withFault("hang") })
        const hanging = yield* server.pidOf(1)

        process.kill(hanging, "SIGUSR2")
        yield* server.logged("The next connection hangs it")
        // The worker hangs with the first that it takes, and is handed one more. The other worker answers the rest.
        const ends = yield* Effect.promise(() =>
          Promise.all(
            Array.from(
              { length: 6 },
              () =>
                new Promise<string>((resolve) => {
                  let text = ""
                  const socket = connect(Number(new URL(server.baseUrl).port), "127.0.0.1")
                  socket.setEncoding("utf8").on("data", (said: string) => (text += said))
                  socket.on("error", () => {}).on("close", () => resolve(text.slice(0, 12)))
                  socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                })
            )
          )
        )

        yield* server.pidOf(1, [hanging])
        assert.deepStrictEqual(ends.toSorted(), ["", "", ...Array.from({ length: 4 }, () => "HTTP/1.1 200")])
        assert.include(server.log(), "Worker 1 hangs: nothing was heard of it for 10 s, and it is ended")
        assert.isFalse(isAlive(hanging))
      })
  )

  it.live("that runs out of memory is started again", () =>
    Effect.gen(function* () {
      const url = (yield* testPostgres).url
      const server = yield* runningWorkers({
        RUNHOOK_DATABASE_URL: url,
        ...withFault("memory", "--max-old-space-size=160")
      })
      const greedy = yield* server.pidOf(2)

      process.kill(greedy, "SIGUSR2")

      const follower = yield* server.pidOf(2, [greedy])
      assert.isFalse(isAlive(greedy))
      assert.isTrue(isAlive(follower))
      assert.match(server.log(), /Worker 2 ended by SIG\w+, and is started again/)
    })
  )
})

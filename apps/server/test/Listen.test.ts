import { assert, describe, it } from "@effect/vitest"
import { verifyWebhook } from "@runhook/sdk/webhooks"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { callbacks } from "./Callbacks.ts"
import { eventually } from "./Http.ts"
import { decoded, execute, inDemo, listening } from "./ListenCommand.ts"
import {
  run,
  runhook,
  runningServer,
  SharedServer,
  startingServer,
  temporaryDirectory
} from "./RunhookProcess.ts"
import { testPostgres } from "./TestPostgres.ts"

const decodeEndpoints = decoded(Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) }))
const decodeFirst = decoded(Schema.Struct({ endpoint_id: Schema.String, signing_secret: Schema.String }))
const decodeLine = decoded(
  Schema.Struct({
    type: Schema.String,
    execution_id: Schema.String,
    status: Schema.Null,
    attempt: Schema.Int,
    event: Schema.Struct({ execution: Schema.Struct({ status: Schema.String }) })
  })
)

/** Executes to its end, and answers the id. */
const executed = Effect.gen(function* () {
  const id = yield* execute
  yield* run("executions", "watch", id, ...inDemo)
  return id
})

const endpoints = Effect.flatMap(run("endpoints", "list", ...inDemo), ({ stdout }) => decodeEndpoints(stdout))

describe("runhook listen", () => {
  it.layer(SharedServer.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "posts callbacks to a program on this machine, with the headers and bytes that are signed",
      () =>
        Effect.gen(function* () {
          const receiver = yield* callbacks(() => 204)
          const chosen = [
            "--event",
            "execution.started",
            "--event",
            "execution.completed",
            "--task",
            "fetch-page"
          ]
          const { ended, output, signal } = yield* listening(
            "--no-json",
            "--forward",
            receiver.url,
            ...chosen
          )
          const during = yield* endpoints

          const id = yield* execute
          yield* receiver.arrived(id, "completed")
          yield* eventually(
            Effect.sync(() => output.stdout),
            (text) => text.includes("execution.completed")
          )
          signal("SIGTERM")
          const { code, stderr } = yield* ended

          const [, secrets = ""] = /^RUNHOOK_SIGNING_SECRET=(whsec_\S+)$/m.exec(output.stdout) ?? []
          const verified = yield* Effect.forEach(receiver.all, ({ body, headers }) =>
            Effect.promise(() => verifyWebhook({ body, headers, secrets }))
          )
          assert.deepStrictEqual(
            verified.map(({ type }) => type),
            ["execution.started", "execution.completed"]
          )
          assert.strictEqual(receiver.all[0]?.headers["user-agent"], "Runhook-Webhooks/1")
          const line = (type: string) => `\\S+Z  execution\\.${type} +${id}  204  \\d+ ms\\n`
          assert.match(
            output.stdout,
            new RegExp(
              `^Passing events on to ${receiver.url}, .+\\n.+\\n${line("started")}${line("completed")}$`
            )
          )
          assert.deepStrictEqual([code, stderr], [130, ""])
          assert.deepStrictEqual([during.data.length, (yield* endpoints).data.length], [1, 0])
        })
    )

    it.effect("leaves what is refused for another time, and what comes after it in the same execution", () =>
      Effect.gen(function* () {
        const gate = Promise.withResolvers<void>()
        const refused: Array<string> = []
        const receiver = yield* callbacks(async ({ executionId }) => {
          await gate.promise
          return refused.includes(executionId) ? 500 : 204
        })
        const { output } = yield* listening("--no-json", "--forward", receiver.url)
        const first = yield* executed
        yield* receiver.arrived(first, "queued")
        // All of its events are fetched at once, since the first message is still being answered.
        const second = yield* executed
        refused.push(second)

        gate.resolve()

        yield* receiver.arrived(first, "completed")
        yield* receiver.arrived(yield* executed, "completed")
        assert.deepStrictEqual(receiver.typesOf(first), ["queued", "started", "completed"])
        assert.deepStrictEqual(receiver.typesOf(second), ["queued"])
        assert.match(
          output.stdout,
          new RegExp(`  execution\\.queued +${second}  500  \\d+ ms  comes again in 1m\\n`)
        )
      })
    )

    it.effect("prints events for a program, and says why a target is not reached", () =>
      Effect.gen(function* () {
        const { output } = yield* listening()
        const nowhere = yield* listening(
          "--no-json",
          "--forward",
          "http://127.0.0.1:2/",
          "--event",
          "execution.queued"
        )
        const id = yield* execute

        const lines = yield* eventually(
          Effect.sync(() => output.stdout.trimEnd().split("\n")),
          ({ length }) => length === 4
        )
        const unreached = yield* eventually(
          Effect.sync(() => nowhere.output.stdout),
          (text) => text.includes("execution.queued")
        )

        const [first = "", ...rest] = lines
        yield* decodeFirst(first)
        const events = yield* Effect.forEach(rest, (line) => decodeLine(line))
        assert.deepStrictEqual(
          events.map(({ event, execution_id, type }) => [execution_id, type, event.execution.status]),
          [
            [id, "execution.queued", "queued"],
            [id, "execution.started", "running"],
            [id, "execution.completed", "completed"]
          ]
        )
        assert.match(unreached, /  connect ECONNREFUSED 127\.0\.0\.1:2  \d+ ms  comes again in 1m\n/)
      })
    )

    it.effect("ends with a reason when it cannot begin, and when its endpoint is removed", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer
        const here = { RUNHOOK_BASE_URL: baseUrl, RUNHOOK_DATA_DIR: "/nowhere" }
        const listen = (environment: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
          runhook(["listen", ...args], { ...here, ...environment })
        const { ended, output } = yield* listening()
        const { endpoint_id } = yield* decodeFirst(output.stdout)

        const outcomes = [
          yield* listen({}),
          yield* listen({ RUNHOOK_API_KEY: "rhlive_wrong" }),
          yield* listen({ RUNHOOK_API_KEY: "rhlive_wrong", RUNHOOK_BASE_URL: "http://127.0.0.1:2" }),
          yield* listen({}, "--forward", "localhost:3000")
        ]
        yield* run("endpoints", "remove", endpoint_id, ...inDemo)
        outcomes.push(yield* ended)

        assert.deepStrictEqual(
          outcomes.map(({ code, stderr }) => [code, stderr.replace(/^runhook: /, "")]),
          [
            [
              1,
              "There is no admin key: set RUNHOOK_ADMIN_KEY, or RUNHOOK_API_KEY to the key of an integration (the server has not kept one in /nowhere either)\n"
            ],
            [4, "A valid key is required in the Authorization header: Bearer <key>\n"],
            [
              5,
              "Could not reach http://127.0.0.1:2: fetch failed: connect ECONNREFUSED 127.0.0.1:2. Start a server, or set RUNHOOK_BASE_URL to where it is\n"
            ],
            [2, "--forward takes an http or https URL without a password, and not localhost:3000\n"],
            [3, "Its endpoint was removed meanwhile: run it again\n"]
          ]
        )
      })
    )
  })

  it.live("goes on when the service is back after a while", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const settings = {
        RUNHOOK_ADMIN_KEY: "an-admin-key-of-the-operator-himself",
        RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory,
        RUNHOOK_DATABASE_URL: url
      }
      const { baseUrl, ended, signal } = yield* runningServer(settings)
      const there = { ...settings, RUNHOOK_BASE_URL: baseUrl }
      yield* runhook(["accounts", "create", "Acme"], there)
      const { output } = yield* startingServer(there, ["listen"])
      const shown = Effect.sync(() => output.stdout)
      yield* eventually(shown, (text) => text.includes("whsec_"))

      signal("SIGKILL")
      yield* ended
      const away = yield* eventually(
        Effect.sync(() => output.stderr),
        (text) => text.includes("\n")
      )
      yield* runningServer({ ...settings, RUNHOOK_PORT: new URL(baseUrl).port })
      yield* runhook(["endpoints", "test", "runhook listen"], there)
      yield* eventually(shown, (text) => text.includes("webhook.test"))

      assert.match(away, /^Could not reach http:\S+: .+\. Trying again until it is back\n$/)
      assert.strictEqual(output.stderr, `${away}The service is back\n`)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eventually } from "./Http.ts"
import { run, SharedServer, startingServer } from "./RunhookProcess.ts"

const decodeQueued = Schema.decodeEffect(
  Schema.fromJsonString(Schema.Struct({ execution_id: Schema.String }))
)
const decodeChange = Schema.decodeEffect(Schema.fromJsonString(Schema.Struct({ type: Schema.String })))

describe("commands that follow what happens", () => {
  it.layer(SharedServer.layer, { excludeTestServices: true })((it) => {
    it.effect("follow an execution to its end, which decides their exit code", () =>
      Effect.gen(function* () {
        const inDemo = ["--account", "Demo"]
        const create = (...more: ReadonlyArray<string>) =>
          run("executions", "create", ...inDemo, "--agent", "demo-agent", "--task", "fetch-page", ...more)

        const queued = yield* Effect.flatMap(create(), ({ stdout }) => decodeQueued(stdout))
        const watched = yield* run("executions", "watch", queued.execution_id, ...inDemo)
        const failed = yield* create("--wait", "--params", '{"url": "http://127.0.0.1:1/"}')

        assert.strictEqual(watched.code, 0)
        const lines = watched.stdout.trimEnd().split("\n")
        const changes = yield* Effect.forEach(lines, (line) => decodeChange(line))
        assert.deepStrictEqual(
          changes.map(({ type }) => type),
          ["created", "claimed", "started", "completed"]
        )
        assert.strictEqual(failed.code, 6)
        assert.include(failed.stdout, '"status": "error"')
        assert.match(failed.stderr, /^runhook: Execution [0-9a-f-]{36} ended as error: .+\n$/)
      })
    )

    it.effect("show a list again when it changes, until Ctrl-C", () =>
      Effect.gen(function* () {
        const { baseUrl, settings } = yield* SharedServer
        yield* run("accounts", "create", "Paper")
        const { ended, output, signal } = yield* startingServer({ ...settings, RUNHOOK_BASE_URL: baseUrl }, [
          "agents",
          "list",
          "--watch",
          "--account",
          "Paper"
        ])
        const shown = Effect.sync(() => output.stdout)
        const empty = yield* eventually(shown, (text) => text.endsWith("}\n"))
        yield* run("agents", "create", "--account", "Paper", "--name", "Press")

        const after = yield* eventually(shown, (text) => text.includes("Press"))
        signal("SIGINT")
        const { code } = yield* ended

        assert.notInclude(empty, "Press")
        assert.strictEqual(after.match(/"next_cursor"/g)?.length, 2)
        assert.strictEqual(code, 130)
      })
    )

    it.effect("show a list no longer once nobody reads it", () =>
      Effect.gen(function* () {
        const { baseUrl, settings } = yield* SharedServer
        yield* run("accounts", "create", "Glance")

        const { ended, output, stopReading } = yield* startingServer(
          { ...settings, RUNHOOK_BASE_URL: baseUrl },
          ["agents", "list", "--watch", "--account", "Glance"]
        )
        yield* eventually(
          Effect.sync(() => output.stdout),
          (text) => text.endsWith("}\n")
        )

        stopReading()
        const { code, stderr } = yield* ended

        assert.deepStrictEqual({ code, stderr }, { code: 141, stderr: "" })
      })
    )
  })
})

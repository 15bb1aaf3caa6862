import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { generated } from "../../generate/commands/Calls.ts"
import { run, SharedServer } from "../RunhookProcess.ts"

const Created = Schema.fromJsonString(
  Schema.Struct({
    id: Schema.String,
    key_id: Schema.String,
    execution: Schema.Record(Schema.String, Schema.Json)
  })
)
const decodeSchedule = Schema.decodeEffect(Created)

describe("plain commands", () => {
  it("are made of what `npm run generate` reads of the contract", () => {
    const file = new URL("../../src/commands/contract/Operations.generated.ts", import.meta.url)

    assert.strictEqual(readFileSync(file, "utf8"), generated)
  })

  it.layer(SharedServer.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "put fields where the API wants them, things by their names, and change only what is named",
      () =>
        Effect.gen(function* () {
          const inAccount = ["--account", "Demo"]
          yield* run("agents", "create", ...inAccount, "--name", "Portal", "--capacity", "3")
          yield* run("keys", "create", ...inAccount, "--name", "Orders", "--agent", "demo-agent")
          const created = yield* run(
            "schedules",
            "create",
            ...inAccount,
            "--name=Hourly",
            "--agent=demo-agent",
            "--task=fetch-page",
            "--key=Orders",
            "--every=3600",
            '--params={"url": "http://127.0.0.1/"}',
            "--reference=hourly"
          )
          const schedule = yield* decodeSchedule(created.stdout)
          const paused = yield* run("schedules", "pause", "Hourly", ...inAccount)
          const resumed = yield* run("schedules", "resume", schedule.id, ...inAccount, "--key", "Orders")
          const agent = yield* run("agents", "update", "Portal", ...inAccount, "--state", "paused")

          assert.deepInclude(schedule.execution, {
            params: { url: "http://127.0.0.1/" },
            reference: "hourly"
          })
          assert.include(paused.stdout, '"enabled": false')
          assert.include(resumed.stdout, '"enabled": true')
          assert.include(agent.stdout, '"capacity": 3')
          assert.include(agent.stdout, '"name": "Portal"')
        })
    )

    it.effect("refuse an id that would be another path, as a mistake in the command", () =>
      Effect.gen(function* () {
        const answers = yield* Effect.forEach(["..", "."], (id) =>
          run("executions", "get", id, "--account", "Demo")
        )
        const other = yield* run("executions", "get", "a/../../keys", "--account", "Demo")

        assert.deepStrictEqual(
          answers.map(({ code, stderr }) => [code, stderr]),
          Array.from({ length: 2 }, () => [2, "runhook: An id must not be empty or made of dots\n"])
        )
        assert.notStrictEqual(other.code, 0)
        assert.strictEqual(other.stdout, "")
      })
    )

    it.effect("let one flag set several fields, and other flags win over it", () =>
      Effect.gen(function* () {
        yield* run("accounts", "create", "Limited")
        const limit = (...flags: ReadonlyArray<string>) =>
          run("accounts", "limit", "--account", "Limited", ...flags)

        const limited = yield* limit("--per-second", "3", "--burst", "9", "--max-live", "5")
        const byDefault = yield* limit("--default", "--max-live", "7")
        const tooShort = yield* run("accounts", "keep", "--account", "Limited", "--days", "0")

        assert.match(limited.stdout, /"per_second": 3,\s+"burst": 9\s+\},\s+"max_live": 5/)
        assert.match(byDefault.stdout, /"rate_limit": null,\s+"max_live": 7/)
        assert.strictEqual(tooShort.code, 2)
      })
    )

    it.effect("find a version by its number, in the task that is named before it", () =>
      Effect.gen(function* () {
        const tasks = (...args: ReadonlyArray<string>) => run("tasks", ...args, "--account", "Demo")

        const tagged = yield* tasks("tag", "fetch-page", "stable", "1")
        const current = yield* tasks("set-current", "fetch-page", "1")
        const unknown = yield* tasks("tag", "fetch-page", "stable", "99")

        assert.include(tagged.stdout, '"stable"')
        assert.match(current.stdout, /"current_version": \{[^}]*"number": 1/)
        assert.deepStrictEqual(
          [unknown.code, unknown.stderr],
          [3, 'runhook: There is no version named "99": see runhook tasks versions\n']
        )
      })
    )

    it.effect("list as many as are wanted, by every filter that is given", () =>
      Effect.gen(function* () {
        const list = (...flags: ReadonlyArray<string>) =>
          run("executions", "list", "--account", "Demo", ...flags)

        const none = yield* list(
          "--reference",
          "nobody's",
          "--status",
          "queued",
          "--status",
          "running",
          "--no-json"
        )
        const tooMany = yield* list("--limit", "201")
        yield* run("agents", "create", "--account", "Demo", "--name", "Second")
        const one = yield* run("agents", "list", "--account", "Demo", "--limit", "1", "--no-json")

        assert.deepStrictEqual([none.code, none.stdout], [0, "None\n"])
        assert.match(one.stdout, /^ID .*\n\S+ +Second .*\nThere are more: --limit shows up to 200\n$/)
        assert.strictEqual(tooMany.code, 2)
      })
    )
  })
})

import { readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { run, runhook, SharedServer } from "./RunhookProcess.ts"

const decoded = <A>(schema: Schema.Codec<A, unknown>) =>
  Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
const decodeKey = decoded(Schema.Struct({ key: Schema.String }))
const decodeCreated = decoded(Schema.Struct({ id: Schema.String, signing_secret: Schema.String }))
const decodeEndpoint = decoded(
  Schema.Struct({
    description: Schema.String,
    enabled: Schema.Boolean,
    event_types: Schema.NullOr(Schema.Array(Schema.String)),
    task_ids: Schema.NullOr(Schema.Array(Schema.String))
  })
)
const decodeList = decoded(Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) }))

describe("commands that take the key of an integration", () => {
  it.layer(SharedServer.layer, { excludeTestServices: true })((it) => {
    it.effect("write the types of the tasks that a key may execute, and tell when one has changed", () =>
      Effect.gen(function* () {
        const { baseUrl, dataDir, settings } = yield* SharedServer
        const inDemo = ["--account", "Demo"]
        const [file, version] = [join(dataDir, "runhook.d.ts"), join(dataDir, "version.json")]
        const publish = Effect.fnUntraced(function* (type: string) {
          const schema = { type: "object", properties: { number: { type } } }
          yield* Effect.promise(() => writeFile(version, JSON.stringify({ params_schema: schema })))
          return yield* run("tasks", "publish", "fetch-invoice", version, ...inDemo)
        })
        yield* run("tasks", "create", "fetch-invoice", "--name", "An invoice", ...inDemo)
        yield* publish("string")
        const made = yield* run("keys", "create", "--name", "Typed", "--task", "fetch-invoice", ...inDemo)
        const { key } = yield* decodeKey(made.stdout)
        const types = (...args: ReadonlyArray<string>) =>
          runhook(["types", ...args], { ...settings, RUNHOOK_BASE_URL: baseUrl, RUNHOOK_API_KEY: key })

        const wrote = yield* types("--out", file)
        const text = yield* Effect.promise(() => readFile(file, "utf8"))
        const fresh = yield* types("--out", file, "--check")
        const others = yield* types("--out", file, "--check", ...inDemo)
        yield* publish("integer")
        const stale = yield* types("--out", file, "--check")
        const absent = yield* types("--out", `${file}.none`, "--check")
        const unsaid = yield* types("--check")
        const folder = yield* types("--out", dirname(file))

        assert.deepStrictEqual(wrote, { code: 0, stdout: "", stderr: `Wrote ${file}: 1 task\n` })
        assert.include(
          text,
          `"fetch-invoice": { readonly params: FetchInvoice.Params; readonly result: FetchInvoice.Result }`
        )
        assert.include(text, "readonly number?: string\n")
        assert.deepStrictEqual(fresh, { code: 0, stdout: "", stderr: "" })
        const outOfDate = `runhook: ${file} is out of date: write it again with runhook types --out ${file}\n  `
        assert.deepStrictEqual(
          [others, stale].map(({ code, stderr }) => [code, stderr]),
          [
            [1, `${outOfDate}fetch-page is new\n`],
            [1, `${outOfDate}fetch-invoice has changed\n`]
          ]
        )
        assert.include(absent.stderr, `${file}.none is not there: write it with runhook types --out`)
        assert.deepStrictEqual(
          [unsaid.code, unsaid.stderr],
          [2, "runhook: --check needs --out, the file to check\n"]
        )
        assert.deepStrictEqual(
          [folder.code, folder.stderr],
          [1, `runhook: ${dirname(file)} cannot be written: it is a folder and not a file (EISDIR)\n`]
        )
        assert.strictEqual(yield* Effect.promise(() => readFile(file, "utf8")), text)
      })
    )

    it.effect("keep the endpoints of that key, and all of an account with the admin key", () =>
      Effect.gen(function* () {
        const { baseUrl, settings } = yield* SharedServer
        const inDemo = ["--account", "Demo"]
        const made = yield* run("keys", "create", "--name", "Shop", ...inDemo)
        const { key } = yield* decodeKey(made.stdout)
        const endpoints = (...args: ReadonlyArray<string>) =>
          runhook(["endpoints", ...args], { ...settings, RUNHOOK_BASE_URL: baseUrl, RUNHOOK_API_KEY: key })
        const url = "http://127.0.0.1:2/all"

        const pushed = yield* decodeCreated(
          (yield* endpoints("create", url, "--description", "Shop", "--event", "execution.failed")).stdout
        )
        const polled = yield* decodeCreated(
          (yield* endpoints("create", "--poll", "--remove-after", "600", "--task", "fetch-page")).stdout
        )
        const ofAccount = yield* decodeCreated(
          (yield* run("endpoints", "create", "--poll", ...inDemo)).stdout
        )
        const [own, all] = yield* Effect.all([endpoints("list"), run("endpoints", "list", ...inDemo)])
        const shown = yield* Effect.forEach(["Shop", url, pushed.id], (name) => endpoints("get", name))
        const updates = yield* Effect.forEach(
          [
            ["pause", "Shop"],
            ["update", "Shop", "--task", "fetch-page", "--description", "Orders"],
            ["resume", url],
            ["update", "Orders", "--all", "--event", "execution.completed"]
          ],
          (args) => Effect.flatMap(endpoints(...args), ({ stdout }) => decodeEndpoint(stdout))
        )
        const rotated = yield* endpoints("rotate", url, "--overlap", "0")
        const tested = yield* endpoints("test", polled.id)
        const removed = yield* endpoints("remove", url)
        const refused = yield* Effect.all([
          endpoints("get", ofAccount.id),
          endpoints("get", "Shop"),
          endpoints("create"),
          endpoints("create", url, "--poll"),
          endpoints("create", "--poll", "--task", "unknown")
        ])

        const idsIn = ({ stdout }: { readonly stdout: string }) =>
          Effect.map(decodeList(stdout), ({ data }) => data.map(({ id }) => id))
        assert.deepStrictEqual(yield* idsIn(own), [pushed.id, polled.id])
        assert.deepStrictEqual(yield* idsIn(all), [pushed.id, polled.id, ofAccount.id])
        assert.strictEqual(new Set(shown.map(({ stdout }) => stdout.replace(/"request_id": .+/, ""))).size, 1)
        assert.notInclude(own.stdout + shown[0]?.stdout, pushed.signing_secret)
        const task_ids = updates[1]?.task_ids ?? []
        assert.lengthOf(task_ids, 1)
        const failed = ["execution.failed"]
        assert.deepStrictEqual(updates, [
          { description: "Shop", enabled: false, event_types: failed, task_ids: null },
          { description: "Orders", enabled: false, event_types: failed, task_ids },
          { description: "Orders", enabled: true, event_types: failed, task_ids },
          { description: "Orders", enabled: true, event_types: ["execution.completed"], task_ids: null }
        ])
        assert.match(rotated.stdout, /"signing_secret": "whsec_/)
        assert.include(tested.stdout, `"endpoint_id": "${polled.id}"`)
        assert.deepStrictEqual([removed.code, removed.stdout], [0, ""])
        assert.deepStrictEqual(
          refused.map(({ code, stderr }) => [code, stderr.replace(/^runhook: /, "")]),
          [
            [3, "Not found, or it belongs to another account\n"],
            [
              3,
              'There is no endpoint named "Shop": see runhook endpoints list, or make one with runhook endpoints create\n'
            ],
            [2, "Name a URL, or --poll: one of the two\n"],
            [2, "Name a URL, or --poll: one of the two\n"],
            [3, 'There is no task named "unknown" that the key may use\n']
          ]
        )
      })
    )
  })
})

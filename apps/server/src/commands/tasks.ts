/** `runhook tasks`: what can be executed, and its versions. */
import { diffOf, folded } from "@runhook/params/SchemaDiff"
import type { Account, Json } from "@runhook/sdk/admin"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { called } from "./AdminClient.ts"
import { following, group, ofAccount } from "./Catalog.ts"
import { plain } from "./contract/PlainCommand.ts"
import { idOf, named, tasksOf } from "./Names.ts"
import { print } from "../output/Writer.ts"

const task = named("task")

const JsonObject = Schema.Record(Schema.String, Schema.Json)

const file = Argument.FileText("file").pipe(
  Argument.withSchema(
    Schema.fromJsonString(
      Schema.Struct({
        params_schema: JsonObject,
        result_schema: Schema.optionalKey(Schema.NullOr(JsonObject)),
        tags: Schema.optionalKey(Schema.Array(Schema.String)),
        make_current: Schema.optionalKey(Schema.Boolean)
      })
    )
  ),
  Argument.withDescription(
    "A JSON file with the version: params_schema, and if wanted result_schema, tags and make_current"
  )
)

const taskIdOf = (account: Account, meant: string) => idOf(meant, tasksOf(account))

const publish = ofAccount(
  "publish",
  {
    about: "Publish a version of a task, and make it current unless its file says otherwise",
    takes: {
      task,
      file,
      isTrial: Flag.Boolean("dry-run").pipe(
        Flag.withDescription("Check the schemas, and publish nothing"),
        Flag.withDefault(false)
      )
    },
    examples: [{ command: "runhook tasks publish fetch-page version.json", description: "From a file" }]
  },
  async (account, flags) => {
    const id = await taskIdOf(account, flags.task)
    return flags.isTrial ? account.tasks.wouldPublish(id, flags.file) : account.tasks.publish(id, flags.file)
  }
)

const diff = following(
  "diff",
  { about: "Show what a file changes about the schemas of the current version", takes: { task, file } },
  Effect.fnUntraced(function* (account, flags) {
    const before = yield* called(async () => {
      const { current_version, id } = await account.tasks.get(await taskIdOf(account, flags.task))
      return current_version && account.tasks.version({ task_id: id, version_id: current_version.id })
    })
    yield* print(
      [
        ...changesOf("params_schema", before?.params_schema ?? null, flags.file.params_schema),
        ...changesOf("result_schema", before?.result_schema ?? null, flags.file.result_schema ?? null)
      ].join("\n") || "No difference"
    )
  })
)

const marks = { same: " ", gone: "-", new: "+" }

/** As lines of `diff -u`; none if nothing changes. */
const changesOf = (name: string, before: Json, after: Json): ReadonlyArray<string> => {
  const lines = folded(diffOf(before, after)).map((line) =>
    line === null ? "@@" : marks[line.kind] + line.text
  )
  return lines.some((line) => /^[-+]/.test(line)) ? [`${name}:`, ...lines] : []
}

export const tasksCommand = group("tasks", "Manage tasks and their versions", [
  plain("tasks", "create"),
  plain("tasks", "list"),
  plain("tasks", "get"),
  plain("tasks", "versions"),
  publish,
  diff,
  plain("tasks", "tag"),
  plain("tasks", "set-current")
])

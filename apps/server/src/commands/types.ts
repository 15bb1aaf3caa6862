/** `runhook types`: TypeScript of what each task takes and gives. */
import type { Runhook } from "@runhook/sdk"
import { reasonOf } from "@runhook/embedded-postgres/SystemFault"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import { CommandFailed } from "../logging/Reporting.ts"
import { changesBetween, fileOf, type TypedTask } from "../task-types/TaskTypes.ts"
import { adminClient, called, keyClient, orApiKey } from "./AdminClient.ts"
import { accountFlag, accountOf, optional } from "./Names.ts"
import { print, printError, visible } from "../output/Writer.ts"

/** Tasks whose schemas are asked for at once. */
const askedAtOnce = 8

/** The tasks that a key may execute, in their current versions. */
const tasksOfKey = Effect.fnUntraced(function* (runhook: Runhook) {
  const tasks = yield* called(() => runhook.tasks.list({ limit: 200 }).toArray({ limit: Infinity }))
  return yield* Effect.forEach(
    tasks.filter(({ current_version }) => current_version !== null),
    ({ description, id, name, slug }) =>
      called(async (): Promise<TypedTask> => {
        const [{ schema }, { result_schema }] = await Promise.all([
          runhook.tasks.paramsSchema(id),
          runhook.tasks.get(id)
        ])
        return { slug, name, description, paramsSchema: schema, resultSchema: result_schema }
      }),
    { concurrency: askedAtOnce }
  )
})

/** All tasks of an account. */
const tasksOfAccount = Effect.fnUntraced(function* (meant: string | undefined) {
  const admin = yield* adminClient({ alternative: orApiKey })
  const account = yield* called(() => accountOf(admin, meant))
  const tasks = yield* called(() => account.tasks.list({ limit: 200 }).toArray({ limit: Infinity }))
  const current = tasks.flatMap((task) => {
    const { current_version: version } = task
    return version === null ? [] : [{ ...task, version }]
  })
  return yield* Effect.forEach(
    current,
    ({ description, id, name, slug, version }) =>
      called(async (): Promise<TypedTask> => {
        const { params_schema, result_schema } = await account.tasks.version({
          task_id: id,
          version_id: version.id
        })
        return { slug, name, description, paramsSchema: params_schema, resultSchema: result_schema }
      }),
    { concurrency: askedAtOnce }
  )
})

export const typesCommand = Command.make(
  "types",
  {
    account: accountFlag,
    isCheck: Flag.Boolean("check").pipe(
      Flag.withDescription("Write nothing, and fail if the tasks are no longer as in the file"),
      Flag.withDefault(false)
    ),
    out: optional(
      Flag.String("out").pipe(
        Flag.withMetavar("file"),
        Flag.withDescription("Where to write them, such as runhook.d.ts (default: the output)")
      )
    )
  },
  Effect.fnUntraced(function* ({ account, isCheck, out }) {
    const runhook = yield* keyClient()
    if (isCheck && out === undefined)
      return yield* new CommandFailed({ reason: "--check needs --out, the file to check", exitCode: 2 })
    const tasks = yield* runhook !== undefined && account === undefined
      ? tasksOfKey(runhook)
      : tasksOfAccount(account)
    const text = visible(fileOf(tasks))
    if (out === undefined) return yield* print(text.trimEnd())
    const files = yield* FileSystem.FileSystem
    if (!isCheck) {
      yield* Effect.mapError(files.writeFileString(out, text), unusable(out, "written"))
      return yield* printError(`Wrote ${out}: ${tasks.length} ${tasks.length === 1 ? "task" : "tasks"}`)
    }
    const before = yield* files.exists(out).pipe(
      Effect.flatMap((isThere) => (isThere ? files.readFileString(out) : Effect.undefined)),
      Effect.mapError(unusable(out, "read"))
    )
    if (before === text) return
    const changes = changesBetween(before ?? "", text).map((change) => `\n  ${change}`)
    const state = before === undefined ? "is not there: write it" : "is out of date: write it again"
    return yield* new CommandFailed({
      reason: `${out} ${state} with runhook types --out ${out}${changes.join("")}`
    })
  })
).pipe(
  Command.withDescription(
    "Write TypeScript of the params and results of tasks: those of the key in RUNHOOK_API_KEY, or all of an account"
  ),
  Command.withExamples([
    { command: "runhook types --out runhook.d.ts", description: "Beside the program that calls them" },
    {
      command: "runhook types --out runhook.d.ts --check",
      description: "In CI: exit code 1 if a task has changed"
    }
  ])
)

const unusable = (out: string, done: "read" | "written") => (error: PlatformError) =>
  new CommandFailed({ reason: `${out} cannot be ${done}: ${reasonOf(error.cause)}` })

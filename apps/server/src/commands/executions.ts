/** `runhook executions`: queue them, follow them, stop them. */
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import type { Account } from "@runhook/sdk/admin"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { show } from "../output/Output.ts"
import { called } from "./AdminClient.ts"
import { following, group } from "./Catalog.ts"
import { plain } from "./contract/PlainCommand.ts"
import { awaited, followed, jobFollowed } from "./Following.ts"
import { agentsOf, byId, idOf, keysOf, onlyOne, optional, tasksOf } from "./Names.ts"

const execution = byId("execution")

const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), optional)

const isWaiting = Flag.Boolean("wait").pipe(
  Flag.withDescription("Wait for its end, and show it: the exit code is 6 unless it completed"),
  Flag.withDefault(false)
)

const params = Flag.String("params").pipe(
  Flag.withSchema(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json))),
  Flag.withMetavar("json"),
  Flag.withDescription("Its params, as a JSON object"),
  optional
)

const key = onlyOne("key", "The key in whose name it runs")

/** Makes an execution, and waits for its end if that is wanted. */
const made = Effect.fnUntraced(function* (
  make: () => Promise<{ readonly execution_id: string }>,
  { account, isWaiting: waits }: { readonly account: Account; readonly isWaiting: boolean }
) {
  const created = yield* called(make)
  yield* waits ? awaited(account, created.execution_id) : show(created)
})

const create = following(
  "create",
  {
    about: "Queue an execution",
    takes: {
      agent: onlyOne("agent", "The agent that executes it"),
      task: onlyOne("task", "The task, by its slug, name or id"),
      key,
      isWaiting,
      body: {
        params,
        version: text("task-version", "version", "current, tag:<name> or a version's id"),
        reference: text("reference", "text", "Your own name for it"),
        callback_url: text("callback-url", "url", "Where its callbacks are sent"),
        priority: Flag.Int("priority").pipe(Flag.withDescription("Higher runs first"), optional)
      }
    },
    examples: [
      {
        command: `runhook executions create --task fetch-page --params '{"url": "https://example.com"}' --wait`,
        description: "Run a task, and show what came of it"
      }
    ]
  },
  (account, flags) =>
    made(
      async () =>
        account.executions.create({
          ...flags.body,
          agent_id: await idOf(flags.agent, agentsOf(account)),
          task_id: await idOf(flags.task, tasksOf(account)),
          key_id: await idOf(flags.key, keysOf(account))
        }),
      { account, isWaiting: flags.isWaiting }
    )
)

/** What a cancel of many is narrowed down by. */
const filter = {
  status: Flag.Literals("status", ExecutionStatus.literals).pipe(
    Flag.withDescription("Their status; may be repeated (default: all that are not finished)"),
    Flag.atLeast(0)
  ),
  reference: text("reference", "text", "The caller's own name for it"),
  from: text("from", "timestamp", "Created at or after"),
  to: text("to", "timestamp", "Created at or before")
}

const watch = following(
  "watch",
  {
    about: "Print each change of an execution until it is over: the exit code is 6 unless it completed",
    takes: { execution }
  },
  (account, flags) => followed(account, flags.execution)
)

const cancelAll = following(
  "cancel-all",
  {
    about: "Stop all executions that match and are not finished, and follow how far that is",
    takes: {
      chosen: filter,
      agent: text("agent", "name|id", "The agent that executes them"),
      task: text("task", "name|id", "Their task, by its slug, name or id"),
      reason: text("reason", "text", "The reason, which each of them shows"),
      isTrial: Flag.Boolean("dry-run").pipe(
        Flag.withDescription("Say how many would be stopped, and stop none"),
        Flag.withDefault(false)
      )
    },
    examples: [
      {
        command: "runhook executions cancel-all --task fetch-page --status queued --dry-run",
        description: "How many of a task wait?"
      }
    ]
  },
  Effect.fnUntraced(function* (account, { agent, chosen: { status, ...some }, isTrial, reason, task }) {
    const answer = yield* called(async () =>
      account.executions.cancelAll(
        {
          ...some,
          ...(status.length > 0 && { status }),
          ...(agent !== undefined && { agent_id: await idOf(agent, agentsOf(account)) }),
          ...(task !== undefined && { task_id: await idOf(task, tasksOf(account)) })
        },
        { reason, dryRun: isTrial }
      )
    )
    const { job_id: id, matched } = answer
    if (id === null) return yield* show(answer)
    yield* jobFollowed(
      () => account.executions.jobs.get(id),
      ({ cancelled }) => ({ done: cancelled, total: matched })
    )
  })
)

const rerun = following(
  "rerun",
  {
    about: "Run an execution again, with the same agent, reference, metadata and callbacks",
    takes: {
      execution,
      isWaiting,
      body: {
        params,
        version: Flag.Literals("task-version", ["same", "current"]).pipe(
          Flag.withDescription("The version of the task that it had, or the current one (default: same)"),
          optional
        )
      }
    }
  },
  (account, flags) =>
    made(() => account.executions.rerun(flags.execution, flags.body), { account, isWaiting: flags.isWaiting })
)

export const executionsCommand = group("executions", "Queue, follow, stop and repeat executions", [
  create,
  plain("executions", "list"),
  plain("executions", "get"),
  watch,
  plain("executions", "evidence"),
  plain("executions", "cancel"),
  cancelAll,
  rerun
])

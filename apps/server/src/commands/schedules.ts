/** `runhook schedules`: executions that are created again and again. */
import { Missed, Overlap } from "@runhook/core/domain/schedule/Schedule"
import type { Account } from "@runhook/sdk/admin"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import { group, listing, ofAccount } from "./Catalog.ts"
import { agentsOf, idOf, keysOf, named, nameFlag, onlyOne, optional, tasksOf } from "./Names.ts"

const schedule = named("schedule")

/** The id of the schedule that is meant. */
const scheduleOf = (account: Account, meant: string): Promise<string> =>
  idOf(meant, { kind: "schedule", list: account.schedules.list({ limit: 200 }) })

const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), optional)

const params = Flag.String("params").pipe(
  Flag.withSchema(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json))),
  Flag.withMetavar("json"),
  Flag.withDescription("The params, as a JSON object"),
  optional
)

const create = ofAccount(
  "create",
  {
    about: "Create executions again and again: by --cron in a --time-zone, or --every so many seconds",
    takes: {
      agent: onlyOne("agent", "The agent that executes them"),
      task: onlyOne("task", "The task, by its slug, name or id"),
      key: onlyOne("key", "The key in whose name they run"),
      body: {
        name: nameFlag,
        cron: text("cron", "expression", "Minute, hour, day of month, month, day of week"),
        time_zone: text("time-zone", "zone", "The time zone of --cron, such as Europe/Berlin"),
        every_seconds: Flag.Int("every").pipe(
          Flag.withMetavar("seconds"),
          Flag.withDescription("Seconds between due times, in place of --cron"),
          optional
        ),
        starts_at: text("starts-at", "timestamp", "No due time is earlier"),
        ends_at: text("ends-at", "timestamp", "No due time is later"),
        overlap: Flag.Literals("overlap", Overlap.literals).pipe(
          Flag.withDescription(
            "What happens at a due time while an earlier execution is unfinished (default: allow)"
          ),
          optional
        ),
        missed: Flag.Literals("missed", Missed.literals).pipe(
          Flag.withDescription("Which due times are made up for after an outage (default: last)"),
          optional
        ),
        jitter_seconds: Flag.Int("jitter").pipe(
          Flag.withMetavar("seconds"),
          Flag.withDescription("Create each up to so much later"),
          optional
        )
      },
      execution: {
        params,
        version: text("task-version", "version", "current, tag:<name> or a version's id"),
        reference: text("reference", "text", "Your own name for each execution"),
        callback_url: text("callback-url", "url", "Where callbacks are sent")
      }
    },
    examples: [
      {
        command: `runhook schedules create --name Nightly --task fetch-page --cron "30 2 * * *" --time-zone Europe/Berlin`,
        description: "Run a task every night"
      }
    ]
  },
  async (account, flags) =>
    account.schedules.create({
      ...flags.body,
      key_id: await idOf(flags.key, keysOf(account)),
      execution: {
        ...flags.execution,
        agent_id: await idOf(flags.agent, agentsOf(account)),
        task_id: await idOf(flags.task, tasksOf(account))
      }
    })
)

const list = listing(
  {
    about: "List the schedules of an account, newest first",
    takes: {},
    columns: ["id", "name", "cron", "time_zone", "every_seconds", "enabled", "next_at", "last"]
  },
  (account, { limit }) => account.schedules.list({ limit })
)

const get = ofAccount(
  "get",
  { about: "Show a schedule, its next due times, and what came of the last one", takes: { schedule } },
  async (account, flags) => account.schedules.get(await scheduleOf(account, flags.schedule))
)

const pause = ofAccount(
  "pause",
  { about: "Create nothing more until it is resumed", takes: { schedule } },
  async (account, flags) =>
    account.schedules.update(await scheduleOf(account, flags.schedule), { enabled: false })
)

const resume = ofAccount(
  "resume",
  {
    about: "Go on with the first due time from now; what was due during the pause is not made up for",
    takes: {
      schedule,
      key: Flag.String("key").pipe(
        Flag.withMetavar("name|id"),
        Flag.withDescription("Create executions in the name of this key from now on"),
        optional
      )
    }
  },
  async (account, flags) =>
    account.schedules.update(await scheduleOf(account, flags.schedule), {
      enabled: true,
      ...(flags.key !== undefined && { key_id: await idOf(flags.key, keysOf(account)) })
    })
)

const trigger = ofAccount(
  "trigger",
  { about: "Create an execution of it now, also during a pause", takes: { schedule, body: { params } } },
  async (account, flags) => account.schedules.trigger(await scheduleOf(account, flags.schedule), flags.body)
)

const remove = ofAccount(
  "remove",
  { about: "Remove a schedule; executions that it has created stay", takes: { schedule } },
  async (account, flags) => account.schedules.remove(await scheduleOf(account, flags.schedule))
)

export const schedulesCommand = group("schedules", "Create executions again and again", [
  create,
  list,
  get,
  pause,
  resume,
  trigger,
  remove
])

/** What is executed, by which agents, and when. */
import { label, type Rows, type Take } from "../Row.ts"

export const agents: Rows = {
  create: { takes: [label, "capacity"] },
  list: { columns: "id name status busy capacity queued runners last_seen_at" },
  get: {},
  update: {
    says: "Change what is named of an agent, or whether it is paused or disabled",
    takes: [label, "capacity", "state"],
    examples: [
      { command: "runhook agents update Portal --state paused", description: "Let its executions wait" }
    ]
  },
  remove: {}
}

const version: Take = { field: "version_id", says: "The version, by its number or id" }

export const tasks: Rows = {
  create: {
    args: [{ field: "slug", says: "Its name in code, such as fetch-page" }],
    takes: [label]
  },
  list: { columns: "id slug name current_version.number latest_version.number enabled updated_at" },
  get: {},
  versions: { columns: "id number tags published_at" },
  tag: {
    call: "tasks.moveTag",
    says: "Point a tag at a version",
    args: [{ field: "name", says: "The tag, such as stable" }, version]
  },
  "set-current": {
    call: "tasks.setCurrent",
    says: "Make a version the one of executions that name none",
    args: [version]
  }
}

export const executions: Rows = {
  list: {
    says: "List the executions of an account, newest first",
    takes: [
      { field: "status", says: "Their status; may be repeated (default: any)" },
      "reference",
      "from",
      "to"
    ],
    columns: "id status task_slug agent_name reference created_at"
  },
  get: { says: "Show an execution with its files and its progress" },
  evidence: { says: "Print signed evidence of a finished execution, for verify-evidence" },
  cancel: { takes: [{ field: "reason", says: "The reason, which the execution shows" }] }
}

export const schedules: Rows = {
  create: {
    says: "Create executions again and again: by --cron in a --time-zone, or --every so many seconds",
    takes: [
      "execution.agent_id",
      { field: "execution.task_id", says: "The task, by its slug, name or id", isOnlyOne: true },
      { field: "key_id", says: "The key in whose name they run" },
      label,
      { field: "cron", says: "Minute, hour, day of month, month, day of week" },
      { field: "time_zone", says: "The time zone of --cron, such as Europe/Berlin" },
      { field: "every_seconds", says: "Seconds between due times, in place of --cron" },
      "starts_at",
      "ends_at",
      {
        field: "overlap",
        says: "What happens at a due time while an earlier execution is unfinished (default: allow)"
      },
      { field: "missed", says: "Which due times are made up for after an outage (default: last)" },
      { field: "jitter_seconds", says: "Create each up to so much later" },
      "execution.params",
      { field: "execution.version", flag: "task-version" },
      { field: "execution.reference", says: "Your own name for each execution" },
      "execution.callback_url"
    ],
    examples: [
      {
        command: `runhook schedules create --name Nightly --task fetch-page --cron "30 2 * * *" --time-zone Europe/Berlin`,
        description: "Run a task every night"
      }
    ]
  },
  list: { columns: "id name cron time_zone every_seconds enabled next_at last" },
  get: {},
  pause: {
    call: "schedules.update",
    says: "Create nothing more until it is resumed",
    sets: { enabled: false }
  },
  resume: {
    call: "schedules.update",
    says: "Go on with the first due time from now; what was due during the pause is not made up for",
    takes: [{ field: "key_id", says: "Create executions in the name of this key from now on" }],
    sets: { enabled: true }
  },
  trigger: { takes: ["params"] },
  remove: {}
}

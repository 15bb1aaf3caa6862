/** What the contract does not know of commands: which there are, what they take, and what their tables show. */

/** A field that a command takes, where its name does not say it all. */
export interface Take {
  readonly field: string
  /** The flag, where it is not named as the field. */
  readonly flag?: string
  /** In place of what the contract says. */
  readonly says?: string
  /** For a choice that the API requires. */
  readonly unlessGiven?: string
  /** The id of a thing that may be left out where there is only one; as where the API requires it. */
  readonly isOnlyOne?: boolean
}

interface Row {
  /** In the contract; that of the noun and the command unless given. */
  readonly call?: string
  /** Whose call it is: that of the noun's owner unless given. */
  readonly of?: OwnerName
  /** Fields that are arguments, after the ids of the path. */
  readonly args?: ReadonlyArray<Take>
  /** Fields that are flags. */
  readonly takes?: ReadonlyArray<Take | string>
  /** What the command itself says in the body. */
  readonly sets?: Readonly<Record<string, boolean>>
  /** Of a list in the answer. */
  readonly columns?: string
  /** In place of the contract's summary and description. */
  readonly says?: string
  readonly examples?: ReadonlyArray<{ readonly command: string; readonly description: string }>
}

type OwnerName = "account" | "alerts" | "endpoints" | "service"
type Rows = Readonly<Record<string, Row>>

const label: Take = { field: "name", says: "Its name in lists" }

const agents: Rows = {
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

const runnerKeys: Rows = {
  create: { takes: [label, "agent_ids"] },
  list: { columns: "id name prefix agent_ids revoked_at created_at" },
  revoke: {}
}

const keys: Rows = {
  create: {
    takes: [label, "allowed_agent_ids", "allowed_task_ids"],
    examples: [
      {
        command: 'runhook keys create --account Acme --name "Order system" --task fetch-page',
        description: "A key that may run one task only"
      }
    ]
  },
  list: { columns: "id name prefix last_used_at expires_at revoked_at created_at" },
  get: {},
  revoke: {},
  rotate: { takes: ["overlap_seconds"] },
  "rotate-signing-secret": {
    takes: [
      {
        field: "mode",
        says: "immediate: the old secret is lost or leaked; staged: receivers learn the new one first",
        unlessGiven: "staged"
      },
      "overlap_seconds"
    ]
  },
  reseal: { call: "secretKeys.reseal", of: "service" }
}

const search: Take = { field: "q", flag: "search", says: "A part of the event type or URL, or an id" }

const schedules: Rows = {
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

const accounts: Rows = {
  create: {
    args: [label],
    examples: [{ command: 'runhook accounts create "Acme"', description: "Create an account for Acme" }]
  },
  list: {
    says: "List the accounts, newest first",
    columns: "id name rate_limit.per_second max_live retention_days created_at"
  }
}

const tasks: Rows = {
  create: {
    args: [{ field: "slug", says: "Its name in code, such as fetch-page" }],
    takes: [label]
  },
  list: { columns: "id slug name current_version.number latest_version.number enabled updated_at" },
  get: {},
  versions: { columns: "id number tags published_at" }
}

const executions: Rows = {
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

const deliveries: Rows = {
  list: {
    takes: [
      "type",
      { field: "execution_id", says: "The execution that caused them" },
      "answer",
      "cause",
      "url_origin",
      search,
      "from",
      "to",
      { field: "status", says: "Their state; may be repeated (default: any)" },
      "key_id"
    ],
    columns: "id type state attempts last_cause callback_url next_attempt_at created_at",
    examples: [
      {
        command: "runhook deliveries list --account Acme --status dead --search receiver.example.com",
        description: "What a receiver has never taken"
      }
    ]
  },
  get: {},
  replay: {}
}

const endpoints: Rows = {
  list: { columns: "id kind url description event_types enabled created_at" },
  get: {},
  pause: {
    call: "endpoints.update",
    says: "Drop what happens until it is resumed; what waits already is still delivered",
    sets: { enabled: false }
  },
  resume: {
    call: "endpoints.update",
    says: "Tell an endpoint again, of what happens from now on",
    sets: { enabled: true }
  },
  rotate: { takes: ["overlap_seconds"] },
  test: {},
  remove: {}
}

const alerts: Rows = {
  list: {
    says: "List what is wrong now, then what was in the last days",
    columns: "kind account_name title count since closed_at"
  },
  targets: {
    call: "alerts.targets.list",
    says: "List who is told of alerts",
    columns: "id channel address kinds paused_until last_sent_at last_error"
  },
  remove: { call: "alerts.targets.remove" }
}

const consoleLinks: Rows = {
  list: { columns: "id name role state maker.name created_at expires_at" },
  withdraw: {}
}

const consoleSessions: Rows = {
  list: { columns: "id person name role by last_seen_at address" },
  end: {},
  "end-person": {
    args: [{ field: "person", says: "Whose sessions end: `person` in the list" }]
  }
}

/** The plain commands of each noun. */
const tables: Readonly<Record<string, Rows>> = {
  accounts,
  keys,
  "runner-keys": runnerKeys,
  agents,
  tasks,
  executions,
  schedules,
  deliveries,
  endpoints,
  alerts,
  "console-links": consoleLinks,
  "console-sessions": consoleSessions
}

/** Whose nouns they are, if not an account's. */
const ownersOfNouns: Readonly<Record<string, OwnerName>> = {
  accounts: "service",
  alerts: "alerts",
  endpoints: "endpoints"
}

const camelCase = (words: string): string =>
  words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const commandOf = (noun: string, name: string, { columns, takes = [], ...row }: Row) => ({
  noun,
  name,
  call: `${camelCase(noun)}.${camelCase(name)}`,
  of: ownersOfNouns[noun] ?? "account",
  ...row,
  takes: takes.map((take): Take => (typeof take === "string" ? { field: take } : take)),
  columns: columns?.split(" ") ?? []
})

export type PlainCommand = ReturnType<typeof commandOf>

export const plainCommands: ReadonlyArray<PlainCommand> = Object.entries(tables).flatMap(([noun, rows]) =>
  Object.entries(rows).map(([name, row]) => commandOf(noun, name, row))
)

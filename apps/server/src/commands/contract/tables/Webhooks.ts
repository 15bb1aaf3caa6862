/** Callbacks, who else gets events, and who is told what is wrong. */
import { refuse, type Rows, type Take } from "../Row.ts"

const search: Take = { field: "q", flag: "search", says: "A part of the event type or URL, or an id" }

export const deliveries: Rows = {
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

/** Which events an endpoint gets. */
const chosen = [
  { field: "description", says: "What it is, for people" },
  { field: "event_types", flag: "event", says: "This event; may be repeated (default: all)" },
  "task_ids",
  "agent_ids"
]

export const endpoints: Rows = {
  list: { columns: "id kind url description event_types enabled created_at" },
  create: {
    says: "Have events sent to a URL, or fetched with --poll. The signing secret is printed this once.",
    args: [{ field: "url", says: "Where they are sent" }],
    takes: [
      {
        flag: "poll",
        says: "They are fetched as messages, in place of a URL",
        sets: { kind: "poll" }
      },
      {
        field: "remove_after_seconds",
        says: "With --poll: remove it when nobody has fetched for so long (default: never)"
      },
      ...chosen
    ],
    sets: { kind: "push" },
    completes: (given) =>
      (given["kind"] === "poll") === (given["url"] === undefined)
        ? given
        : refuse("Name a URL, or --poll: one of the two"),
    examples: [
      {
        command: "runhook endpoints create https://hooks.example.com/all --event execution.failed",
        description: "Every failure"
      }
    ]
  },
  get: {},
  update: {
    says: "Change where an endpoint's events are sent, or which it gets: only what is named changes",
    takes: [
      { field: "url", says: "Where they are sent" },
      ...chosen,
      {
        flag: "all",
        says: "It gets all events, unless others are named",
        sets: { event_types: null, task_ids: null, agent_ids: null }
      }
    ]
  },
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

/** Which alerts a target gets, and when. */
const told: ReadonlyArray<Take> = [
  { field: "kinds", says: "It gets these alerts; may be repeated (default: all)" },
  { field: "paused_until", says: "It is told nothing before" }
]

export const alerts: Rows = {
  list: {
    says: "List what is wrong now, then what was in the last days",
    columns: "kind account_name title count since closed_at"
  },
  targets: {
    call: "alerts.targets.list",
    says: "List who is told of alerts",
    columns: "id channel address kinds paused_until last_sent_at last_error"
  },
  add: {
    call: "alerts.targets.create",
    says: "Have a webhook or a mailbox told of alerts; the signing secret is printed this once",
    args: [{ field: "address", says: "A URL, or an e-mail address" }],
    takes: told,
    completes: (given) => ({
      channel: String(given["address"]).includes("://") ? "webhook" : "email",
      ...given
    }),
    examples: [
      { command: "runhook alerts add ops@example.com", description: "Alerts of all accounts, by e-mail" }
    ]
  },
  update: {
    call: "alerts.targets.update",
    says: "Choose which alerts a target gets, pause it, or end its pause",
    takes: [
      ...told,
      {
        flag: "resume",
        says: "End the pause: it is told what is still open",
        sets: { paused_until: null }
      }
    ]
  },
  remove: { call: "alerts.targets.remove" }
}

/** What the fields of each request must be. */
import type { KnownExecutionEventType, KnownExecutionStatus } from "../wire/Integration.ts"
import {
  expects,
  flag,
  id,
  inOrder,
  integerFrom,
  integerTextFrom,
  isObject,
  json,
  listOf,
  objectOf,
  oneOf,
  orNull,
  type Rule,
  text,
  textOf,
  timestamp,
  versionName
} from "./Rules.ts"

const eventTypes: ReadonlyArray<KnownExecutionEventType> = [
  "execution.queued",
  "execution.started",
  "execution.completed",
  "execution.failed",
  "execution.aborted"
]

const statuses: ReadonlyArray<KnownExecutionStatus> = [
  "pending",
  "queued",
  "running",
  "awaiting_input",
  "completed",
  "cancelled",
  "aborted",
  "error"
]

const reserved = "_service."

const unreserved: Rule = (value, path) =>
  Object.keys(isObject(value) ? value : {})
    .filter((key) => key.startsWith(reserved))
    .slice(0, 1)
    .map((key) => ({
      path: [...path, key],
      message: `the key ${JSON.stringify(key)} must not start with the reserved prefix "${reserved}"`
    }))

export const createBody = objectOf("CreateExecution", {
  fields: {
    agent_id: id,
    task_id: id,
    task_version_id: id,
    version: versionName,
    v: integerFrom(1, 2 ** 31 - 1),
    params: json,
    reference: textOf(255),
    metadata: inOrder(json, unreserved),
    callback_url: expects("string | null", (value) => value === null || typeof value === "string"),
    callback_events: orNull(listOf(oneOf(...eventTypes))),
    scheduled_at: orNull(timestamp),
    priority: integerFrom(-1_000, 1_000),
    hold: flag,
    expires_at: orNull(timestamp),
    timeout_seconds: orNull(integerFrom(1, 604_800))
  },
  required: ["agent_id"]
})

export const rerunBody = objectOf("RerunExecution", {
  fields: { version: oneOf("same", "current"), params: json },
  required: []
})

export const rescheduleBody = objectOf("RescheduleExecution", {
  fields: {
    scheduled_at: orNull(timestamp),
    priority: integerFrom(-1_000, 1_000),
    expires_at: orNull(timestamp)
  },
  required: []
})

export const cancelBody = objectOf("CancelExecution", { fields: { reason: textOf(1_000) }, required: [] })

export const answerBody = objectOf("AnswerInput", { fields: { value: () => [] }, required: ["value"] })

export const testBody = objectOf("TestWebhook", {
  fields: { callback_url: text },
  required: ["callback_url"]
})

const pageFields = {
  cursor: expects("a next_cursor of an earlier response", (value) => /^[\w-]{51}$/.test(String(value))),
  limit: integerTextFrom(1, 200)
}

const queryOf = (fields: Readonly<Record<string, Rule>>): Rule => objectOf("object", { fields, required: [] })

export const noQuery = queryOf({})
export const pageQuery = queryOf(pageFields)
export const createQuery = queryOf({ validate_only: oneOf("true", "false") })
export const getQuery = queryOf({ wait: integerTextFrom(0, 60) })
export const historyQuery = queryOf({
  after: integerTextFrom(0, 2 ** 31 - 1),
  limit: integerTextFrom(1, 200),
  wait: integerTextFrom(0, 60)
})
export const taskQuery = queryOf({ q: text, tag: text, ...pageFields })
export const versionQuery = queryOf({ v: integerTextFrom(1, 2 ** 31 - 1), version: versionName })
export const executionQuery = queryOf({
  status: listOf(oneOf(...statuses)),
  task_id: id,
  agent_id: id,
  reference: textOf(255),
  from: timestamp,
  to: timestamp,
  ...pageFields
})

/** What is wrong with a callback URL. The service also refuses hosts and ports, which are its operator's to say. */
export const callbackFault = (url: string): string | undefined => {
  if (url.length > 2_048) return "must be at most 2048 characters long"
  if (!URL.canParse(url)) return "must be a valid absolute URL"
  const { password, protocol, username } = new URL(url)
  if (protocol !== "http:" && protocol !== "https:") return "must use https or http"
  return username === "" && password === "" ? undefined : "must not contain a user name or password"
}

/** Narrows what a document allows to requests that come to something: of things that exist, and without waiting. */
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import * as Record from "effect/Record"
import type { Operation } from "../Documented.ts"
import type { Known, Parts } from "./Requests.ts"

/** Whose id the `id` behind a segment of a path is. */
const owners: { readonly [segment: string]: string } = {
  "alert-targets": "alert_target_id",
  deliveries: "event_id",
  endpoints: "endpoint_id",
  executions: "execution_id",
  jobs: "job_id",
  replays: "replay_id",
  schedules: "schedule_id",
  sessions: "session_id",
  tasks: "task_id",
  "runner-keys": "runner_key_id"
}

/** What a parameter of the path refers to. */
const subjectOf = (path: string, name: string): string => {
  const segment = path.split(`/{${name}}`)[0]?.split("/").at(-1) ?? ""
  if (/^(artifact|file)_?id$/i.test(name)) return "artifact_id"
  return name === "id" || segment === "runner-keys" ? (owners[segment] ?? name) : name
}

const urls = [
  "https://hooks.example.com/a",
  "http://10.0.0.1/",
  "https://example.com:6000/",
  "ftp://example.com/"
]

/** Times to wait for something. */
const waits = new Set(["wait", "wait_ms"])

/** The schema of a value that has this name. */
const narrowed = (schema: Part, name: string, known: Known): Part => {
  const value = known[name]
  if (waits.has(name)) return { const: 0 }
  if (value !== undefined && schema["type"] !== "array") return { const: value }
  if (name === "cron") return { enum: ["30 2 * * *", "*/5 * * * *"] }
  if (name === "time_zone") return { enum: ["Europe/Berlin", "UTC"] }
  if ((name === "callback_url" || name === "url") && schema["format"] === "uri") return { enum: urls }
  if (name === "address") return { enum: [...urls, "ops@example.com"] }
  if (name === "url_origin") return { const: "https://hooks.example.com" }
  if (schema["format"] === "date-time") {
    return { type: "string", pattern: "^20(26|31)-0[1-9]-1\\dT[01]\\d:[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?Z$" }
  }
  const { anyOf, items, properties, ...rest } = schema
  const names = Object.keys(partOf(properties))
  const required: ReadonlyArray<unknown> = Array.isArray(schema["required"]) ? schema["required"] : []
  return {
    ...rest,
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((each) => narrowed(partOf(each), name, known)) } : {}),
    ...(items === undefined ? {} : { items: narrowed(partOf(items), name.replace(/s$/, ""), known) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Record.map(partOf(properties), (each, key) => narrowed(partOf(each), key, known)),
          required: [...required, ...names.filter((each) => waits.has(each))]
        })
  }
}

/** A number, or a text that a header can carry. */
const headerOf = (schema: unknown): unknown => (partOf(schema)["type"] === "integer" ? schema : visible)

const visible = { type: "string", pattern: "^[\\x21-\\x7E]{1,20}$" }

/** The parts of requests for what exists. A cursor comes from a list alone. */
export const narrowedParts = ({ path }: Operation, parts: Parts, known: Known): Parts => {
  const { cursor: _, ...query } = partOf(parts.query["properties"])
  return {
    path: {
      ...parts.path,
      properties: Record.map(partOf(parts.path["properties"]), (schema, name) => {
        const subject = known[subjectOf(path, name)]
        return subject === undefined ? schema : { const: subject }
      })
    },
    query: narrowed({ ...parts.query, properties: query }, "", known),
    header: { ...parts.header, properties: Record.map(partOf(parts.header["properties"]), headerOf) },
    body: parts.body === undefined ? undefined : narrowed(parts.body, "", known)
  }
}

/** Entries of the audit log in words, and its days. Pure. */
import type { AuditEntry, Json, JsonObject } from "@runhook/sdk/admin"
import { countOf } from "../../format/Amounts.ts"
import type { Zone } from "../../time/Zone.ts"

/** A secret that takes effect within so many milliseconds of the change counts as taking effect at once. */
const atOnceMs = 5_000

/** Details beside the name of the object; "" if there are none. */
export const detailOf = ({
  action,
  after,
  at,
  before
}: Pick<AuditEntry, "action" | "after" | "at" | "before">): string => {
  switch (action) {
    case "signing_secret.rotated":
      return Date.parse(textIn(after, "active_at")) - Date.parse(at) < atOnceMs ? "immediately" : "staged"
    case "task.version_published":
      return `version ${textIn(after, "number")}`
    case "task.tag_moved":
    case "task.tag_removed":
      return `${textIn(after ?? before, "tag")}: ${movedWords(before, after)}`
    case "task.current_version_set":
      return movedWords(before, after)
    case "execution.stopped":
      return textIn(after, "status_reason")
    case "delivery.tried":
      return ""
    case "delivery.test_queued":
      return textIn(after, "url_origin")
    case "replay.begun":
      return typeof after?.["expected"] === "number"
        ? countOf(after["expected"], "delivery", "deliveries")
        : ""
    case "replay.cancelled":
      return `after ${textIn(after, "replayed")}`
    case "session.link_made":
    case "session.begun":
      return `as ${textIn(after, "role")}`
    default:
      return before !== null && after !== null ? Object.keys(after).map(nameWords).join(", ") : ""
  }
}

/** Whether the fields add anything to the line. */
export const hasFields = ({ after, before }: Pick<AuditEntry, "after" | "before">): boolean =>
  before !== null || after !== null

export interface ChangedField {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** The changed fields of an entry, as text. */
export const fieldsOf = ({
  after,
  before
}: Pick<AuditEntry, "after" | "before">): ReadonlyArray<ChangedField> =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map((name) => ({
    name: nameWords(name),
    before: before === null ? "" : valueWords(before[name]),
    after: after === null ? "" : valueWords(after[name])
  }))

const nameWords = (name: string): string => name.replaceAll("_", " ")

const valueWords = (value: Json | undefined): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "none" : JSON.stringify(value)

const textIn = (fields: JsonObject | null, name: string): string => {
  const value = fields?.[name]
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

const movedWords = (before: JsonObject | null, after: JsonObject | null): string => {
  const [from, to] = [textIn(before, "number"), textIn(after, "number")]
  if (from === "") return `to ${to}`
  return to === "" ? `was ${from}` : `${from} to ${to}`
}

/** The start of a day such as `2026-11-22`; undefined if there is no such day. */
export const startOfDay = (day: string | undefined, zone: Zone): string | undefined =>
  momentOf(day, "T00:00:00.000", zone)

/** The end of a day. */
export const endOfDay = (day: string | undefined, zone: Zone): string | undefined =>
  momentOf(day, "T23:59:59.999", zone)

const momentOf = (day: string | undefined, time: string, zone: Zone): string | undefined => {
  const date = new Date(`${day}${time}${zone === "utc" ? "Z" : ""}`)
  return day === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

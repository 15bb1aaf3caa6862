/** How the audit log tells what happened to a thing. */
import * as DateTime from "effect/DateTime"
import type { AccountId } from "../shared/Ids.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import { canonicalJson } from "../shared/json/JsonText.ts"
import type { AuditAction, AuditEvent, AuditSubject } from "./AuditEntry.ts"

/** What an event is about, and the account it belongs to. */
export type About = Pick<AuditEvent, "accountId" | "subject">

export const about = (accountId: AccountId, subject: AuditSubject): About => ({ accountId, subject })

/** Something happened to it, after which it is so: null if it is gone. */
export const event = (
  thing: About,
  action: AuditAction,
  after: JsonObject | null,
  before: JsonObject | null = null
): AuditEvent => ({ ...thing, action, before, after })

/** It changed: only the fields that differ are recorded; undefined if none does. */
export const changed = (
  thing: About,
  action: AuditAction,
  before: JsonObject,
  after: JsonObject
): AuditEvent | undefined => {
  const names = Object.keys(after).filter(
    (name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null)
  )
  if (names.length === 0) return undefined
  const only = (state: JsonObject): JsonObject =>
    Object.fromEntries(names.map((name) => [name, state[name] ?? null]))
  return event(thing, action, only(after), only(before))
}

export const textOf = (instant: DateTime.Utc | null): string | null => instant && DateTime.formatIso(instant)

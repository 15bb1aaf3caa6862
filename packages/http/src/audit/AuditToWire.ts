/** The audit log, from the domain to the wire. */
import type { AuditItem, auditFilter } from "@runhook/contract/audit/AuditWire"
import type { AuditEntry } from "@runhook/core/audit/AuditEntry"
import { instantOf } from "@runhook/core/shared/Ids"
import type { AuditFilter } from "@runhook/core/audit/AuditStore"
import * as DateTime from "effect/DateTime"
import type * as Schema from "effect/Schema"
import { csvLine } from "../documents/Csv.ts"

type Item = typeof AuditItem.Type

export const auditFilterOf = (query: Schema.Struct<typeof auditFilter>["Type"]): AuditFilter => ({
  kind: query.kind ?? null,
  actor: query.actor ?? null,
  subjectId: query.subject_id ?? null,
  text: query.q ?? null,
  from: query.from ?? null,
  to: query.to ?? null
})

export const auditItem = ({ action, actor, after, before, id, subject }: AuditEntry): Item => ({
  id,
  at: instantOf(id),
  actor: { kind: actor.kind, id: actor.id, person: actor.person, name: actor.name },
  from_address: actor.fromAddress,
  action,
  subject,
  before,
  after,
  request_id: actor.requestId
})

const columns: ReadonlyArray<readonly [name: string, valueOf: (entry: Item) => string | null]> = [
  ["at", ({ at }) => DateTime.formatIso(at)],
  ["actor_kind", ({ actor }) => actor.kind],
  ["actor_id", ({ actor }) => actor.id],
  ["actor_person", ({ actor }) => actor.person],
  ["actor_name", ({ actor }) => actor.name],
  ["from_address", ({ from_address }) => from_address],
  ["action", ({ action }) => action],
  ["subject_kind", ({ subject }) => subject.kind],
  ["subject_id", ({ subject }) => subject.id],
  ["subject_name", ({ subject }) => subject.name],
  ["before", ({ before }) => before && JSON.stringify(before)],
  ["after", ({ after }) => after && JSON.stringify(after)],
  ["request_id", ({ request_id }) => request_id],
  ["id", ({ id }) => id]
]

export const auditCsvHead = csvLine(columns.map(([name]) => name))

export const auditCsvLine = (entry: AuditEntry): string => {
  const item = auditItem(entry)
  return csvLine(columns.map(([, valueOf]) => valueOf(item) ?? ""))
}

/** Writes audit entries, in the transaction of the change. */
import type { AuditEntry, NewAuditEntry } from "@runhook/core/domain/audit/AuditEntry"
import { AuditEntryId, newId } from "@runhook/core/domain/Ids"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { withChange } from "../sql/Inserts.ts"
import { json, text, uuid } from "../sql/Parameters.ts"
import { type Columns, fixedRows } from "../sql/Rows.ts"
import { fixed, type InBucket, statement } from "../sql/Statement.ts"

/** The names that a search looks through, separated so that no match spans two of them. */
const foldedNames = ({ action, actor, subject }: AuditEntry): string =>
  [action, actor.name, subject.name ?? ""].join("\n").toLowerCase()

/** Columns of the entries of rows, null for rows without an entry. */
export const auditColumns = <Row>(entry: (row: Row) => AuditEntry | undefined): Columns<Row> => {
  const ofEntry = (value: (entry: AuditEntry) => string | null) => (row: Row) => {
    const told = entry(row)
    return told === undefined ? null : value(told)
  }
  return {
    audit_id: uuid(ofEntry(({ id }) => id)),
    audit_account_id: uuid(ofEntry(({ accountId }) => accountId)),
    actor_kind: text(ofEntry(({ actor }) => actor.kind)),
    actor_id: text(ofEntry(({ actor }) => actor.id)),
    actor_person: uuid(ofEntry(({ actor }) => actor.person)),
    actor_name: text(ofEntry(({ actor }) => actor.name)),
    from_address: text(ofEntry(({ actor }) => actor.fromAddress)),
    audit_request_id: text(ofEntry(({ actor }) => actor.requestId)),
    action: text(ofEntry(({ action }) => action)),
    subject_kind: text(ofEntry(({ subject }) => subject.kind)),
    subject_id: text(ofEntry(({ subject }) => subject.id)),
    subject_name: text(ofEntry(({ subject }) => subject.name)),
    folded_names: text(ofEntry(foldedNames)),
    audit_before: json(ofEntry(({ before }) => before && JSON.stringify(before))),
    audit_after: json(ofEntry(({ after }) => after && JSON.stringify(after)))
  }
}

/** Inserts the entries of rows with `auditColumns`. */
export const auditInsert = {
  into: "audit_log",
  of: "audit_id IS NOT NULL",
  row: {
    account_id: "audit_account_id",
    id: "audit_id",
    actor_kind: "actor_kind",
    actor_id: "actor_id",
    actor_person: "actor_person",
    actor_name: "actor_name",
    from_address: "from_address",
    request_id: "audit_request_id",
    action: "action",
    subject_kind: "subject_kind",
    subject_id: "subject_id",
    subject_name: "subject_name",
    folded_names: "folded_names",
    before: "audit_before",
    after: "audit_after"
  }
}

interface Noted extends InBucket {
  readonly entry: AuditEntry
}

const entryColumns = auditColumns<AuditEntry>((entry) => entry)

const noteEntry = statement(fixed<Noted>`
  WITH asked AS (SELECT * FROM ${fixedRows("asked", ({ entry }: Noted) => [entry], entryColumns, "one")}),
  ${withChange<Noted>({ ...auditInsert, as: "noted" }, "asked")}
  SELECT FROM asked`)

/** Stores an entry, if there is one. Call it in the transaction of the change. */
export const makeNote = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const random = yield* SecureRandom

  return Effect.fnUntraced(function* (entry: NewAuditEntry | undefined) {
    if (entry === undefined) return
    const id = yield* Effect.provideService(newId(AuditEntryId), SecureRandom, random)
    const bucket = yield* buckets.of(entry.accountId)
    yield* noteEntry(sql, { bucket, entry: { ...entry, id } })
  })
})

/** Writes audit entries, in the transaction of the change. */
import type { AuditEntry, NewAuditEntry } from "@runhook/core/audit/AuditEntry"
import { AuditEntryId, newId } from "@runhook/core/shared/Ids"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { inBucket, json, text, uuid } from "../sql/Parameters.ts"
import type { Columns } from "../sql/Rows.ts"
import { fixed, type InBucket, joined, statement } from "../sql/Statement.ts"

/** The names that a search looks through, separated so that no match spans two of them. */
const foldedNames = ({ action, actor, subject }: AuditEntry): string =>
  [action, actor.name, subject.name ?? ""].join("\n").toLowerCase()

/** Columns of the entries of rows, null for rows without an entry: those of `audit_log`, some by a longer name. */
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

const entryColumns = auditColumns<AuditEntry & InBucket>((entry) => entry)

const logColumns = Object.keys(entryColumns).map((name) => name.replace(/^audit_/, ""))

const noteEntry = statement(fixed<AuditEntry & InBucket>`
  INSERT INTO audit_log (bucket, ${logColumns.join(", ")})
  VALUES (${inBucket}, ${joined(", ", Object.values(entryColumns))})`)

/** Stores an entry, if there is one. Call it in the transaction of the change. */
export const makeNote = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const random = yield* SecureRandom

  return Effect.fnUntraced(function* (entry: NewAuditEntry | undefined) {
    if (entry === undefined) return
    const id = yield* Effect.provideService(newId(AuditEntryId), SecureRandom, random)
    const bucket = yield* buckets.of(entry.accountId)
    yield* noteEntry(sql, { ...entry, bucket, id })
  })
})

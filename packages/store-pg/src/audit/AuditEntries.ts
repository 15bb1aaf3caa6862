/** Writes the entries that tell of changes, in the transaction of the change. */
import { CurrentActor } from "@runhook/core/domain/account/Actor"
import { type AuditEntry, type AuditEvent, entryOf } from "@runhook/core/domain/audit/AuditEntry"
import { AuditEntryId, newId } from "@runhook/core/domain/Ids"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { askedRelation, type Column, columnsOf } from "../sql/AskedRelation.ts"

/** What is searched for a part of a name. Apart from each other, so that no part reaches from one into the next. */
const foldedNames = ({ action, actor, subject }: AuditEntry): string =>
  [action, actor.name, subject.name ?? ""].join("\n").toLowerCase()

/** The entries of rows; nulls for those without. */
export const auditColumns = <Row>(
  entry: (row: Row) => AuditEntry | undefined
): ReadonlyArray<Column<Row>> => {
  const { json, text, uuid } = columnsOf<Row>()
  const ofEntry = (value: (entry: AuditEntry) => string | null) => (row: Row) => {
    const told = entry(row)
    return told === undefined ? null : value(told)
  }
  return [
    uuid(
      "audit_id",
      ofEntry(({ id }) => id)
    ),
    uuid(
      "audit_account_id",
      ofEntry(({ accountId }) => accountId)
    ),
    text(
      "actor_kind",
      ofEntry(({ actor }) => actor.kind)
    ),
    text(
      "actor_id",
      ofEntry(({ actor }) => actor.id)
    ),
    text(
      "actor_name",
      ofEntry(({ actor }) => actor.name)
    ),
    text(
      "from_address",
      ofEntry(({ actor }) => actor.fromAddress)
    ),
    text(
      "audit_request_id",
      ofEntry(({ actor }) => actor.requestId)
    ),
    text(
      "action",
      ofEntry(({ action }) => action)
    ),
    text(
      "subject_kind",
      ofEntry(({ subject }) => subject.kind)
    ),
    text(
      "subject_id",
      ofEntry(({ subject }) => subject.id)
    ),
    text(
      "subject_name",
      ofEntry(({ subject }) => subject.name)
    ),
    text("folded_names", ofEntry(foldedNames)),
    json(
      "audit_before",
      ofEntry(({ before }) => before && JSON.stringify(before))
    ),
    json(
      "audit_after",
      ofEntry(({ after }) => after && JSON.stringify(after))
    )
  ]
}

/** Writes the entries of a relation with `auditColumns`. The first parameter is the bucket. */
export const auditInsert = (relation: string): string => `
  INSERT INTO audit_log (
    bucket, account_id, id, actor_kind, actor_id, actor_name, from_address, request_id, action,
    subject_kind, subject_id, subject_name, folded_names, before, after
  )
  SELECT $1::smallint, audit_account_id, audit_id, actor_kind, actor_id, actor_name, from_address,
    audit_request_id, action, subject_kind, subject_id, subject_name, folded_names, audit_before, audit_after
  FROM ${relation}
  WHERE audit_id IS NOT NULL`

const entryColumns = auditColumns<AuditEntry>((entry) => entry)

const noteText = `WITH ${askedRelation(entryColumns, "one")} ${auditInsert("asked")}`

/** Gives the entries of events, on behalf of the current actor; undefined for those that are not told of. */
export const makeEntries = Effect.gen(function* () {
  const random = yield* SecureRandom
  return Effect.gen(function* () {
    const id = yield* Effect.provideService(newId(AuditEntryId), SecureRandom, random)
    const actor = yield* CurrentActor
    return (event: AuditEvent): AuditEntry | undefined => entryOf(event, id, actor)
  })
})

/**
 * Gives what notes an event, on behalf of the current actor: call it in the
 * transaction that makes the change. Without an event there is nothing to tell.
 */
export const makeNote = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const entries = yield* makeEntries

  return Effect.fnUntraced(function* (event: AuditEvent | undefined) {
    const entry = event && (yield* entries)(event)
    if (entry === undefined) return
    const bucket = yield* buckets.of(entry.accountId)
    yield* sql.unsafe(noteText, [bucket, ...entryColumns.map(({ values }) => values([entry]))])
  })
})

/** Writes the entries that tell of changes, in the transaction of the change. */
import { CurrentActor } from "@runhook/core/domain/Actor"
import { type AuditEntry, type AuditEvent, entryOf } from "@runhook/core/domain/AuditEntry"
import { AuditEntryId, newId } from "@runhook/core/domain/Ids"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "./Buckets.ts"

/**
 * Gives what notes an event, on behalf of the current actor: call it in the
 * transaction that makes the change. Without an event there is nothing to tell.
 */
export const makeNote = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const random = yield* SecureRandom

  const write = Effect.fnUntraced(function* ({
    accountId,
    action,
    actor,
    after,
    before,
    id,
    subject
  }: AuditEntry) {
    const bucket = yield* buckets.of(accountId)
    yield* sql`
      INSERT INTO audit_log (
        bucket, account_id, id, actor_kind, actor_id, actor_name, from_address, request_id, action,
        subject_kind, subject_id, subject_name, folded_names, before, after
      )
      VALUES (
        ${bucket}::smallint, ${accountId}::uuid, ${id}::uuid, ${actor.kind}::text, ${actor.id}::text,
        ${actor.name}::text, ${actor.fromAddress}::text, ${actor.requestId}::text, ${action}::text,
        ${subject.kind}::text, ${subject.id}::text, ${subject.name}::text,
        ${foldedNames([action, actor.name, subject.name ?? ""])}::text,
        ${before && JSON.stringify(before)}::json, ${after && JSON.stringify(after)}::json
      )`
  })

  return Effect.fnUntraced(function* (event: AuditEvent | undefined) {
    const id = yield* Effect.provideService(newId(AuditEntryId), SecureRandom, random)
    const entry = event && entryOf(event, id, yield* CurrentActor)
    if (entry !== undefined) yield* write(entry)
  })
})

/** What is searched for a part of a name. Apart from each other, so that no part reaches from one into the next. */
const foldedNames = (names: ReadonlyArray<string>): string => names.join("\n").toLowerCase()

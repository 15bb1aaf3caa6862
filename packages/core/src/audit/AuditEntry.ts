/** One line of an account's audit log: who changed what, from where, and what it was before and after. */
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { Actor, type Identity } from "./Actor.ts"
import { AccountId, AnyId, AuditEntryId } from "../shared/Ids.ts"
import { type JsonObject, KnownJsonObject } from "../shared/json/Json.ts"
import { isStorableText } from "../shared/json/JsonText.ts"

/** Every recorded change. Rows may hold others, of a newer version of the service. */
export const AuditAction = Schema.Literals([
  "account.created",
  "account.updated",
  "account.removed",
  "key.created",
  "key.updated",
  "key.rotated",
  "key.revoked",
  "signing_secret.rotated",
  "signing_secret.resealed",
  "runner_key.created",
  "runner_key.revoked",
  "agent.created",
  "agent.updated",
  "agent.removed",
  "runner.drained",
  "task.created",
  "task.updated",
  "task.version_published",
  "task.tag_moved",
  "task.tag_removed",
  "task.current_version_set",
  "execution.created",
  "execution.rescheduled",
  "execution.stopped",
  "execution.released",
  "execution.input_answered",
  "execution.removed",
  "delivery.replayed",
  "delivery.tried",
  "delivery.copied_as_curl",
  "delivery.test_queued",
  "replay.begun",
  "replay.cancelled",
  "session.link_made",
  "session.link_withdrawn",
  "session.begun",
  "session.ended",
  "alert_target.created",
  "alert_target.updated",
  "alert_target.removed",
  "schedule.created",
  "schedule.updated",
  "schedule.triggered",
  "schedule.removed",
  "endpoint.created",
  "endpoint.updated",
  "endpoint.rotated",
  "endpoint.removed"
])
export type AuditAction = typeof AuditAction.Type

/** What an entry is about. */
export const AuditSubjectKind = Schema.Literals([
  "account",
  "key",
  "runner_key",
  "runner",
  "agent",
  "task",
  "execution",
  "delivery",
  "replay",
  "session",
  "alert_target",
  "schedule",
  "endpoint"
])
export type AuditSubjectKind = typeof AuditSubjectKind.Type

/** Names the subject of an entry as it was called then; it may be gone by now. */
export interface AuditSubject {
  readonly kind: AuditSubjectKind
  readonly id: string
  readonly name: string | null
}

/** What changed. */
export interface AuditEvent {
  readonly accountId: AccountId
  readonly action: AuditAction
  readonly subject: AuditSubject
  /** For a change: what differed. Null if there was nothing before. */
  readonly before: JsonObject | null
  /** For a change: the same fields. Null if there is nothing any more. */
  readonly after: JsonObject | null
  /** The actor, if the change itself names one, as a sign-in does; otherwise the current actor. */
  readonly actor?: Identity
}

const Text = Schema.String.check(isStorableText)

/** An entry as it is kept. Its id carries the moment. */
export const AuditEntry = Schema.Struct({
  id: AuditEntryId,
  accountId: AccountId,
  actor: Actor,
  action: Text,
  subject: Schema.Struct({ kind: Text, id: AnyId, name: Schema.NullOr(Text) }),
  before: Schema.NullOr(KnownJsonObject),
  after: Schema.NullOr(KnownJsonObject)
})
export type AuditEntry = typeof AuditEntry.Type

/** An entry that is to be stored; the store gives it its id. */
export type NewAuditEntry = Omit<AuditEntry, "id">

/**
 * The entry for a change, made of what a store has locked for it; undefined if there
 * is nothing to record.
 */
export type Audit<Seen extends ReadonlyArray<unknown>> = (...seen: Seen) => NewAuditEntry | undefined

/** What a store is told of a change besides the change itself. */
export interface Audited<Seen extends ReadonlyArray<unknown>> {
  readonly at: DateTime.Utc
  readonly audit?: Audit<Seen> | undefined
}

/** Records a change on behalf of the actor. */
export const auditBy =
  <Seen extends ReadonlyArray<unknown>>(
    actor: Actor,
    tell: (...seen: Seen) => AuditEvent | undefined
  ): Audit<Seen> =>
  (...seen) => {
    const event = tell(...seen)
    return event && { ...event, actor: { ...actor, ...event.actor } }
  }

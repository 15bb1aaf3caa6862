/**
 * Reads the audit log of an account. Only the stores write it: a change of what
 * administrators keep is stored together with its entry, on behalf of the
 * `CurrentActor`, or not at all. A call that changes nothing leaves no entry.
 * Entries contain neither secrets nor hashes.
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { AuditEntry, AuditEvent, AuditSubjectKind } from "../domain/audit/AuditEntry.ts"
import type { AccountId } from "../domain/Ids.ts"
import type { Page, PageRequest } from "../domain/Page.ts"

/** Which entries a list wants; null means any. */
export interface AuditFilter {
  readonly kind: AuditSubjectKind | null
  /** A kind of actor, or the id or whole name of one. */
  readonly actor: string | null
  readonly subjectId: string | null
  /**
   * A part of the action or of the actor's or subject's name, in any case; or the
   * whole id of the actor, the subject or the request.
   */
  readonly text: string | null
  /** Made at or after. */
  readonly from: DateTime.Utc | null
  /** Made at or before. */
  readonly to: DateTime.Utc | null
}

export class AuditStore extends Context.Service<
  AuditStore,
  {
    /** Newest first. */
    list(accountId: AccountId, filter: AuditFilter, page: PageRequest): Effect.Effect<Page<AuditEntry>>

    /** Adds an entry without a change of a row: something secret was shown. */
    add(event: AuditEvent): Effect.Effect<void>
  }
>()("@runhook/core/ports/AuditStore") {}

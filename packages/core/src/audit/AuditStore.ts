/**
 * Reads the audit log of an account. A use case says what is recorded and on whose
 * behalf: it gives the verb of a port an `Audit`. The store calls it with what it has
 * locked, and stores the entry in the transaction of the change: both or neither. A
 * call that changes nothing leaves no entry, and nor does one without an `Audit`.
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { AuditEntry, AuditSubjectKind, NewAuditEntry } from "./AuditEntry.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { Page, PageRequest } from "../shared/Page.ts"

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
    add(entry: NewAuditEntry | undefined): Effect.Effect<void>
  }
>()("@runhook/core/audit/AuditStore") {}

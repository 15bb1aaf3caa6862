/** Who changed what in an account. */
import type { Page, PageQuery } from "../Envelope.ts"
import type { JsonObject, Open } from "../Json.ts"

export type KnownActorKind = "operator" | "member" | "key" | "service"

export type AuditSubjectKind =
  | "account"
  | "key"
  | "runner_key"
  | "runner"
  | "agent"
  | "task"
  | "execution"
  | "delivery"
  | "replay"
  | "session"

/** One change, without secrets. */
export interface AuditEntry {
  readonly id: string
  readonly at: string
  /** Who did it, as they were called then. */
  readonly actor: {
    /** operator: by an admin key; member: signed in to the account; key: an integration key; service: by itself. */
    readonly kind: Open<KnownActorKind>
    /** Of the key or the session; null for operators and the service. */
    readonly id: string | null
    readonly name: string
  }
  /** Null when no request asked for it. */
  readonly from_address: string | null
  /** Such as key.revoked. */
  readonly action: string
  /** What was changed, as it was called then. */
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string | null }
  /** Of a change what differed; null when there was nothing before. */
  readonly before: JsonObject | null
  /** Of a change the same fields; null when there is nothing any more. */
  readonly after: JsonObject | null
  readonly request_id: string | null
}

export type AuditPage = Page<AuditEntry>

export interface AuditFilter extends PageQuery {
  /** A part of the action, or of the name of who or what; or an id of either, or of the request. */
  readonly q?: string
  readonly kind?: AuditSubjectKind
  /** Who: operator, member, key, service, or an id or a whole name. */
  readonly actor?: string
  readonly subject_id?: string
  /** ISO 8601. */
  readonly from?: string
  readonly to?: string
}

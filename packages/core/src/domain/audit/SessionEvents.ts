/** Audit events of sign-ins to the Integrations page, for each of the session's accounts. */
import * as DateTime from "effect/DateTime"
import type { ConsoleLink } from "../console/ConsoleLink.ts"
import type { ConsoleSession } from "../console/ConsoleSession.ts"
import type { AuditEvent } from "./AuditEntry.ts"

export const linkMade = ({ accountId, expiresAt, id, name, role }: ConsoleLink): AuditEvent => ({
  accountId,
  action: "session.link_made",
  subject: { kind: "session", id, name },
  before: null,
  after: { role, expires_at: DateTime.formatIso(expiresAt) }
})

export const sessionBegun = (session: ConsoleSession): ReadonlyArray<AuditEvent> =>
  session.memberships.map(({ accountId, role }) => ({
    ...inAccount(session, accountId),
    action: "session.begun",
    before: null,
    after: { role, method: session.method, expires_at: DateTime.formatIso(session.expiresAt) },
    // The caller is not signed in yet.
    actor: { kind: "member", id: session.id, name: session.name }
  }))

/** Nothing if it had already ended. */
export const sessionEnded = (session: ConsoleSession, at: DateTime.Utc): ReadonlyArray<AuditEvent> =>
  session.endedAt === null
    ? session.memberships.map(({ accountId }) => ({
        ...inAccount(session, accountId),
        action: "session.ended",
        before: { ended_at: null },
        after: { ended_at: DateTime.formatIso(at) }
      }))
    : []

const inAccount = ({ id, name }: ConsoleSession, accountId: AuditEvent["accountId"]) => ({
  accountId,
  subject: { kind: "session", id, name } as const
})

/** Audit events of links and of sessions on the Integrations page. */
import * as DateTime from "effect/DateTime"
import type { Identity } from "../account/Actor.ts"
import type { SignInLink } from "../people/SignInLink.ts"
import { actorOf, type PersonSession } from "../people/PersonSession.ts"
import type { AccountId } from "../Ids.ts"
import type { AuditEvent } from "./AuditEntry.ts"

export const linkMade = (link: SignInLink): AuditEvent => ({
  ...about(link),
  action: "session.link_made",
  before: null,
  after: { role: link.role, person: link.person, expires_at: DateTime.formatIso(link.expiresAt) }
})

export const linkWithdrawn = (link: SignInLink, { at, by }: End): AuditEvent => ({
  ...about(link),
  action: "session.link_withdrawn",
  before: { withdrawn_at: null },
  after: { withdrawn_at: DateTime.formatIso(at) },
  ...actorIn(link.accountId, by)
})

export const sessionBegun = (session: PersonSession): AuditEvent => ({
  ...about(session),
  action: "session.begun",
  before: null,
  after: {
    role: session.role,
    method: session.method,
    person: session.person,
    expires_at: DateTime.formatIso(session.expiresAt)
  },
  // The caller is not signed in yet.
  actor: actorOf(session)
})

export const sessionEnded = (session: PersonSession, { at, by }: End): AuditEvent => ({
  ...about(session),
  action: "session.ended",
  before: { ended_at: null },
  after: { ended_at: DateTime.formatIso(at) },
  ...actorIn(session.accountId, by)
})

/** When sessions end, and the sessions of the browser that ends them. */
export interface End {
  readonly at: DateTime.Utc
  readonly by: ReadonlyArray<PersonSession>
}

/**
 * Somebody who is signed in to several accounts is called in each as its links or
 * rules say, and by no name that another account gave.
 */
const actorIn = (account: AccountId, browser: End["by"]): { readonly actor?: Identity } => {
  const session = browser.find(({ accountId }) => accountId === account)
  return session === undefined ? {} : { actor: actorOf(session) }
}

const about = ({ accountId, id, name }: SignInLink | PersonSession) => ({
  accountId,
  subject: { kind: "session", id, name } as const
})

/** Audit events of links and of sessions on the Integrations page. */
import type * as DateTime from "effect/DateTime"
import type { Identity } from "./Actor.ts"
import type { AccountId } from "../shared/Ids.ts"
import { actorOf, type PersonSession } from "../people/PersonSession.ts"
import type { SignInLink } from "../people/SignInLink.ts"
import { about, event, textOf } from "./AuditedChange.ts"
import type { AuditEvent } from "./AuditEntry.ts"

export const linkMade = (link: SignInLink) =>
  event(ofSession(link), "session.link_made", {
    role: link.role,
    person: link.person,
    expires_at: textOf(link.expiresAt)
  })

export const linkWithdrawn = (link: SignInLink, { at, by }: End): AuditEvent => ({
  ...event(ofSession(link), "session.link_withdrawn", { withdrawn_at: textOf(at) }, { withdrawn_at: null }),
  ...actorIn(link.accountId, by)
})

export const sessionBegun = (session: PersonSession): AuditEvent => ({
  ...event(ofSession(session), "session.begun", {
    role: session.role,
    method: session.method,
    person: session.person,
    expires_at: textOf(session.expiresAt)
  }),
  // The caller is not signed in yet.
  actor: actorOf(session)
})

export const sessionEnded = (session: PersonSession, { at, by }: End): AuditEvent => ({
  ...event(ofSession(session), "session.ended", { ended_at: textOf(at) }, { ended_at: null }),
  ...actorIn(session.accountId, by)
})

/** When sessions end, and the sessions of the browser that ends them. */
export interface End {
  readonly at: DateTime.Utc
  readonly by: ReadonlyArray<PersonSession>
}

/**
 * A person who is signed in to several accounts is named in each as its links or rules say, and never by a name that
 * another account gave.
 */
const actorIn = (account: AccountId, browser: End["by"]): { readonly actor?: Identity } => {
  const session = browser.find(({ accountId }) => accountId === account)
  return session === undefined ? {} : { actor: actorOf(session) }
}

const ofSession = ({ accountId, id, name }: SignInLink | PersonSession) =>
  about(accountId, { kind: "session", id, name })

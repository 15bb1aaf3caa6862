/** Links and sessions of the Integrations page, as the API shows them. */
import type { ConsoleLinkItem, ConsoleSessionItem, SessionDetail } from "@runhook/contract/wire/SessionWire"
import type { Account } from "@runhook/core/domain/account/Account"
import { type SignInLink, stateOf } from "@runhook/core/domain/people/SignInLink"
import {
  type BrowserSessions,
  type PersonSession,
  idleExpiresAt,
  lastOf
} from "@runhook/core/domain/people/PersonSession"
import type * as DateTime from "effect/DateTime"

/** The sessions of one browser, as one: the newest names them. */
export const sessionDetail = (
  sessions: BrowserSessions,
  accounts: ReadonlyArray<Account>
): Omit<typeof SessionDetail.Type, "request_id"> => {
  const [{ id, method, name, person, signedInAt }] = sessions
  return {
    id,
    person,
    name,
    accounts: accounts.flatMap((account) =>
      sessions
        .filter(({ accountId }) => accountId === account.id)
        .map((session) => ({
          id: account.id,
          name: account.name,
          role: session.role,
          session_id: session.id,
          person: session.person
        }))
    ),
    method,
    signed_in_at: signedInAt,
    expires_at: lastOf(sessions, ({ expiresAt }) => expiresAt),
    idle_expires_at: lastOf(sessions, idleExpiresAt)
  }
}

export const linkItem = (link: SignInLink, at: DateTime.Utc): typeof ConsoleLinkItem.Type => ({
  id: link.id,
  person: link.person,
  name: link.name,
  role: link.role,
  maker: link.maker,
  state: stateOf(link, at),
  created_at: link.createdAt,
  expires_at: link.expiresAt
})

export const sessionItem = (session: PersonSession): typeof ConsoleSessionItem.Type => ({
  id: session.id,
  person: session.person,
  name: session.name,
  role: session.role,
  by: session.method === "oidc" ? "provider" : "link",
  begun_at: session.signedInAt,
  last_seen_at: session.lastSeenAt,
  expires_at: idleExpiresAt(session),
  address: session.fromAddress
})

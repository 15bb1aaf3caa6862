/** Links and sessions of the Integrations page, as the API shows them. */
import { ConsoleLinkItem, ConsoleSessionItem, type SessionDetail } from "@runhook/contract/people/SessionWire"
import type { Account } from "@runhook/core/accounts/Account"
import { type SignInLink, stateOf } from "@runhook/core/people/SignInLink"
import {
  type BrowserSessions,
  type PersonSession,
  idleExpiresAt,
  lastOf
} from "@runhook/core/people/PersonSession"
import type * as DateTime from "effect/DateTime"
import { showing } from "../shared/Names.ts"

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

export const linkItem = (link: SignInLink, at: DateTime.Utc) =>
  shownLink({ ...link, state: stateOf(link, at) })

const shownLink = showing(ConsoleLinkItem)<SignInLink & { readonly state: ReturnType<typeof stateOf> }>({})

export const sessionItem = showing(ConsoleSessionItem)<PersonSession>({
  by: ({ method }) => (method === "oidc" ? "provider" : "link"),
  begun_at: ({ signedInAt }) => signedInAt,
  expires_at: idleExpiresAt,
  address: ({ fromAddress }) => fromAddress
})

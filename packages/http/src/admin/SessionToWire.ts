/** Links and sessions of the Integrations page, as the API shows them. */
import type { SessionDetail } from "@runhook/contract/wire/SessionWire"
import type { Account } from "@runhook/core/domain/account/Account"
import { type BrowserSessions, idleExpiresAt, lastOf } from "@runhook/core/domain/console/ConsoleSession"

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

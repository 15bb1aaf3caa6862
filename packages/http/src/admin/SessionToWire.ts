/** Sessions of the Integrations page, as the API shows them. */
import type { SessionAccount, SessionDetail } from "@runhook/contract/wire/SessionWire"
import type { Account } from "@runhook/core/domain/account/Account"
import { type ConsoleSession, idleExpiresAt } from "@runhook/core/domain/console/ConsoleSession"
import { roleIn } from "@runhook/core/domain/console/Membership"

export const sessionDetail = (
  session: ConsoleSession,
  accounts: ReadonlyArray<Account>
): Omit<typeof SessionDetail.Type, "request_id"> => ({
  id: session.id,
  name: session.name,
  accounts: accounts.flatMap((account) => sessionAccount(session, account)),
  method: session.method,
  signed_in_at: session.signedInAt,
  expires_at: session.expiresAt,
  idle_expires_at: idleExpiresAt(session)
})

const sessionAccount = (
  { memberships }: ConsoleSession,
  { id, name }: Account
): ReadonlyArray<typeof SessionAccount.Type> => {
  const role = roleIn(memberships, id)
  return role === undefined ? [] : [{ id, name, role }]
}

/** Everything that belongs to one account. */
import { systemClock } from "../call/Clock.ts"
import type { Send } from "../promise/Send.ts"
import type { Promises } from "../promise/Types.ts"
import { account, type AccountCalls } from "../requests/admin/Account.ts"
import { changesFollow } from "../requests/Account.generated.ts"
import { pathOf } from "../requests/Describe.ts"
import type { AccountChange } from "../wire/Admin.ts"
import { clientBelow } from "./AdminClient.ts"
import { type ChangesOptions, follow } from "./Changes.ts"

export interface Account extends AccountCalls<Promises> {
  readonly id: string
  /**
   * Reports changes in the account as they happen, for as long as it is read. It reconnects by itself when the
   * connection breaks, and says `reset` where something was missed. It rejects where the service refuses.
   *
   * @example
   * ```ts
   * for await (const change of account.changes({ signal })) {
   *   if (change.event === "change" && change.kind === "delivery" && change.state === "dead") console.log(change.id)
   * }
   * ```
   */
  readonly changes: (options?: ChangesOptions) => AsyncGenerator<AccountChange, void, undefined>
}

export const makeAccount = (send: Send, id: string): Account => {
  const root = pathOf`/accounts/${id}`
  return {
    ...account(clientBelow(root, send)),
    id,
    changes: (options = {}) => follow(root + changesFollow().path, { send, clock: systemClock, options })
  }
}

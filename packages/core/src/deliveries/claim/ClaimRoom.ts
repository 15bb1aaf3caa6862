/** How many more deliveries a claimer has room for. Accounts and receivers that are not named get the default of each. */
import type { AccountId } from "../../shared/Ids.ts"
import type { Receiver } from "./Receiver.ts"

export interface ClaimRoom {
  readonly total: number
  /** Of them, retries: attempts after the first of their round. */
  readonly retries: number
  /** Per account. */
  readonly account: number
  readonly accounts: ReadonlyMap<AccountId, number>
  /** Per receiver. */
  readonly receiver: number
  readonly receivers: ReadonlyArray<Receiver & { readonly room: number }>
}

/** No bound but that of a database integer. */
const unbounded = 2 ** 31 - 1

/** Room for so many deliveries, from any account. */
export const roomFor = (total: number): ClaimRoom => ({
  total,
  retries: unbounded,
  account: unbounded,
  accounts: new Map(),
  receiver: unbounded,
  receivers: []
})

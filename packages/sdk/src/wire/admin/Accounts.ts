/** Accounts, the owners of everything else. */
import type { Answer } from "../Envelope.ts"

export interface Account {
  readonly id: string
  readonly name: string
  readonly created_at: string
}

export interface AccountDetail extends Account, Answer {}

export interface CreateAccount {
  readonly name: string
}

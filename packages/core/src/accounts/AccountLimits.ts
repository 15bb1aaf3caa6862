/** What an account may ask for in all, and so what each of its keys may have at most. Pure functions. */
import * as Schema from "effect/Schema"
import type { ApiKeyRecord } from "../keys/ApiKeyRecord.ts"
import type { RateLimit } from "../keys/RateLimit.ts"
import type { Account } from "./Account.ts"

export interface AccountLimits {
  /** Requests of all its integration keys; null: no limit. */
  readonly rateLimit: RateLimit | null
  /** Unfinished executions of all its keys. */
  readonly maxLive: number
}

/** A key asks for more than its account has, which only an operator may give. */
export class AboveAccountLimit extends Schema.TaggedError<AboveAccountLimit>()("AboveAccountLimit", {
  field: Schema.Literals(["rate_limit.per_second", "rate_limit.burst", "max_live"]),
  limit: Schema.Int
}) {
  override get message() {
    return `${this.field}: must be at most ${this.limit}, the limit of the account, which an operator may raise`
  }
}

type KeyLimits = Partial<Pick<ApiKeyRecord, "maxLive" | "rateLimit">>

/** What the key asks for beyond the limits of its account; undefined if nothing. */
export const excessOf = (
  { maxLive = null, rateLimit = null }: KeyLimits,
  limits: AccountLimits
): AboveAccountLimit | undefined => {
  const most = limits.rateLimit
  if (rateLimit !== null && most !== null) {
    if (rateLimit.perSecond > most.perSecond) {
      return new AboveAccountLimit({ field: "rate_limit.per_second", limit: most.perSecond })
    }
    if (rateLimit.burst > most.burst) {
      return new AboveAccountLimit({ field: "rate_limit.burst", limit: most.burst })
    }
  }
  return maxLive !== null && maxLive > limits.maxLive
    ? new AboveAccountLimit({ field: "max_live", limit: limits.maxLive })
    : undefined
}

/** What a key has of these limits: of each the lower, its own or its account's. */
export const withinAccount = (own: AccountLimits, ofAccount: AccountLimits): AccountLimits => ({
  maxLive: Math.min(own.maxLive, ofAccount.maxLive),
  rateLimit:
    own.rateLimit === null || ofAccount.rateLimit === null
      ? (own.rateLimit ?? ofAccount.rateLimit)
      : {
          perSecond: Math.min(own.rateLimit.perSecond, ofAccount.rateLimit.perSecond),
          burst: Math.min(own.rateLimit.burst, ofAccount.rateLimit.burst)
        }
})

/** The limits that an account needs for a key that an operator gives so much. */
export const raisedFor = (
  { maxLive = null, rateLimit = null }: KeyLimits,
  limits: AccountLimits
): Partial<Pick<Account, "maxLive" | "rateLimit">> => ({
  ...(rateLimit === null || limits.rateLimit === null
    ? {}
    : {
        rateLimit: {
          perSecond: Math.max(rateLimit.perSecond, limits.rateLimit.perSecond),
          burst: Math.max(rateLimit.burst, limits.rateLimit.burst)
        }
      }),
  ...(maxLive === null || maxLive <= limits.maxLive ? {} : { maxLive })
})

/** The limits of accounts: their own, where an operator has set them, and the service's otherwise. */
import * as Effect from "effect/Effect"
import type { AccountLimits } from "./AccountLimits.ts"
import type { AccountId } from "../shared/Ids.ts"
import { AccountStore } from "./AccountStore.ts"
import { ExecutionLimits } from "../Settings.ts"

export const makeLimitsOfAccounts = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const { accountMaxLive, accountRateLimit } = yield* ExecutionLimits
  const usual: AccountLimits = { maxLive: accountMaxLive, rateLimit: accountRateLimit }

  /** Looked up with every create, so stores answer from memory. An account that they do not know has the service's. */
  return (id: AccountId): Effect.Effect<AccountLimits> =>
    accounts.get(id).pipe(
      Effect.map(({ maxLive, rateLimit }) => ({
        maxLive: maxLive ?? usual.maxLive,
        rateLimit: rateLimit ?? usual.rateLimit
      })),
      Effect.catch(() => Effect.succeed(usual))
    )
})

/** What an integration key may know about itself. */
import { Caller } from "@runhook/contract/Authorization"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { Me } from "@runhook/contract/keys/KeyWire"
import { type AccountLimits, withinAccount } from "@runhook/core/accounts/AccountLimits"
import type { ApiKeyId } from "@runhook/core/shared/Ids"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import type { RateLimit } from "@runhook/core/keys/RateLimit"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { Usage } from "@runhook/core/usage/Usage"
import * as Effect from "effect/Effect"
import { batchRateOf } from "../limits/BatchRates.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { showing } from "../shared/Names.ts"

export const KeyHandlers = handlersOf(
  IntegrationApi,
  "key",
  Effect.fnUntraced(function* (handle) {
    const { limitsOf } = yield* Accounts
    const usual = (yield* RateLimits).integration
    const usage = yield* Usage

    return handle({
      me: Effect.fnUntraced(function* () {
        const key = yield* Caller
        const ofAccount = yield* limitsOf(key.accountId)
        const own = { maxLive: key.maxLive ?? ofAccount.maxLive, rateLimit: key.rateLimit ?? usual }
        const { rateLimit: batchRateLimit } = withinAccount(
          { ...own, rateLimit: batchRateOf(own.rateLimit, "key") },
          { ...ofAccount, rateLimit: batchRateOf(ofAccount.rateLimit, "account") }
        )
        const { liveExecutions: live } = yield* usage.loadOfKey(key)
        return me({ ...key, ...withinAccount(own, ofAccount), batchRateLimit, keyId: key.id, live })
      })
    })
  })
)

const shown = (rate: RateLimit | null) => rate && { per_second: rate.perSecond, burst: rate.burst }

const me = showing(Me)<
  Omit<ApiKeyRecord, keyof AccountLimits> &
    AccountLimits & {
      readonly batchRateLimit: RateLimit | null
      readonly keyId: ApiKeyId
      readonly live: number
    }
>({
  batch_rate_limit: ({ batchRateLimit }) => shown(batchRateLimit),
  rate_limit: ({ rateLimit }) => shown(rateLimit)
})

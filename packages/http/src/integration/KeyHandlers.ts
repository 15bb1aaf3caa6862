/** What an integration key may know about itself. */
import { Caller } from "@runhook/contract/Authorization"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { Me } from "@runhook/contract/wire/KeyWire"
import { type AccountLimits, withinAccount } from "@runhook/core/domain/account/AccountLimits"
import type { ApiKeyId } from "@runhook/core/domain/Ids"
import type { ApiKeyRecord } from "@runhook/core/domain/keys/ApiKeyRecord"
import { Accounts } from "@runhook/core/usecases/Accounts"
import { Usage } from "@runhook/core/usecases/Usage"
import * as Effect from "effect/Effect"
import { RateLimits } from "../limits/RateLimits.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { showing } from "../wire/Names.ts"

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
        const { liveExecutions } = yield* usage.loadOfKey(key)
        return me({ ...key, ...withinAccount(own, ofAccount), keyId: key.id, live: liveExecutions })
      })
    })
  })
)

const me = showing(Me)<
  Omit<ApiKeyRecord, keyof AccountLimits> &
    AccountLimits & { readonly keyId: ApiKeyId; readonly live: number }
>({
  rate_limit: ({ rateLimit }) => rateLimit && { per_second: rateLimit.perSecond, burst: rateLimit.burst }
})

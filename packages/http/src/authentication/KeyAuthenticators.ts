/** Finds the owner of the presented key, or answers 401 before anything else of the request is read. */
import { Caller, RunnerCaller } from "@runhook/contract/Authorization"
import { type ApiKeyRecord, nextEnd } from "@runhook/core/keys/ApiKeyRecord"
import type { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import { UsageCounter } from "@runhook/core/usage/UsageCounter"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { Authentication } from "@runhook/core/keys/Authentication"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { toApiError } from "../errors/ErrorTable.ts"
import { addressOf, TrustedProxies } from "../pipeline/request/CallerAddress.ts"
import { keyActor } from "./Actors.ts"
import type { Authenticated, Metered } from "./Authenticated.ts"
import { ApiKeyAuthenticator, RunnerAuthenticator } from "./Authenticator.ts"
import { bearerOf } from "./Bearer.ts"
import { FailedKeys } from "./FailedKeys.ts"

/** A caller with an integration key, or with what a host takes in its place. */
export const byApiKey = (
  key: ApiKeyRecord,
  stillOpen: Authenticated<ApiKeyRecord>["stillOpen"] = null,
  /** The rate of all keys of its account. */
  accountRate: Metered["accountRate"] = null
): Authenticated<ApiKeyRecord> => ({
  caller: key,
  owner: key.accountId,
  actor: keyActor(key),
  metered: { key: key.id, account: key.accountId, rateLimit: key.rateLimit, accountRate },
  stillOpen,
  sessions: []
})

const byRunnerKey = (key: RunnerKeyRecord): Authenticated<RunnerKeyRecord> => ({
  caller: key,
  owner: key.accountId,
  actor: null,
  metered: { key: key.id, account: key.accountId, rateLimit: null, accountRate: null },
  stillOpen: null,
  sessions: []
})

const apiKeys = Layer.effect(
  ApiKeyAuthenticator,
  Effect.gen(function* () {
    const { limitsOf } = yield* Accounts
    const authentication = yield* Authentication
    const { guard } = yield* FailedKeys
    const trustedProxies = yield* TrustedProxies
    const { keyUsed } = yield* UsageCounter

    return ApiKeyAuthenticator.of({
      provides: Caller,
      kind: "integration",
      authenticate: Effect.fnUntraced(function* ({ request }) {
        const presented = bearerOf(request.headers)
        const authenticate = authentication.apiKey(presented)
        const key = yield* guard(request, presented, toApiError(authenticate))
        keyUsed(key, addressOf(request, trustedProxies), yield* DateTime.now)
        const opensUntil = Effect.flatMap(authenticate, (found) =>
          Effect.map(DateTime.now, (at) => nextEnd(found, at))
        )
        const { rateLimit } = yield* limitsOf(key.accountId)
        return byApiKey(key, { id: key.id, opensUntil }, rateLimit ?? "off")
      })
    })
  })
)

const runnerKeys = Layer.effect(
  RunnerAuthenticator,
  Effect.gen(function* () {
    const authentication = yield* Authentication
    const { guard } = yield* FailedKeys
    return RunnerAuthenticator.of({
      provides: RunnerCaller,
      kind: "runner",
      authenticate: ({ request }) => {
        const presented = bearerOf(request.headers)
        const found = guard(request, presented, toApiError(authentication.runnerKey(presented)))
        return Effect.map(found, byRunnerKey)
      }
    })
  })
)

export const layer = Layer.merge(apiKeys, runnerKeys).pipe(Layer.provide(UsageCounter.layer))

/** Who calls: finds the owner of the presented key, or answers 401 before anything else of the request is read. */
import {
  ApiKeyAuthorization,
  Caller,
  RunnerAuthorization,
  RunnerCaller
} from "@runhook/contract/Authorization"
import { Authentication } from "@runhook/core/Authentication"
import { type ApiKeyRecord, nextEnd } from "@runhook/core/domain/ApiKeyRecord"
import type { AccountId } from "@runhook/core/domain/Ids"
import { Tally } from "@runhook/core/Tally"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { actingAs, keyActor } from "./Acting.ts"
import * as AdminAuthorizationLayer from "./AdminAuthorizationLayer.ts"
import { addressOf, TrustedProxies } from "./CallerAddress.ts"
import { CallerSeen } from "./CallerSeen.ts"
import { toApiError } from "./ErrorTable.ts"
import { FailedKeys } from "./FailedKeys.ts"
import { StillOpen } from "./StillOpen.ts"

/** Says whose key it is, once that is known. */
const seen = <Key extends { readonly accountId: AccountId }, E, R>(found: Effect.Effect<Key, E, R>) =>
  Effect.tap(found, ({ accountId }) => Effect.map(CallerSeen, (tell) => tell(accountId)))

const apiKeys = Layer.effect(
  ApiKeyAuthorization,
  Effect.gen(function* () {
    const authentication = yield* Authentication
    const { guard } = yield* FailedKeys
    const trustedProxies = yield* TrustedProxies
    const { keyUsed } = yield* Tally

    /** Notes that the key has opened a request, and where that comes from. */
    const noted = Effect.fnUntraced(function* (key: ApiKeyRecord) {
      const address = addressOf(yield* HttpServerRequest.HttpServerRequest, trustedProxies)
      keyUsed(key, address, yield* DateTime.now)
    })

    return ApiKeyAuthorization.of({
      apiKey: (handler, { credential }) => {
        const authenticate = authentication.apiKey(credential)
        const opened = Effect.tap(seen(guard(credential, toApiError(authenticate))), noted)
        return Effect.flatMap(opened, (key) =>
          actingAs(keyActor(key), handler).pipe(
            Effect.provideService(Caller, key),
            Effect.provideService(StillOpen, {
              id: key.id,
              opensUntil: Effect.flatMap(authenticate, opensUntil)
            })
          )
        )
      }
    })
  })
)

const opensUntil = (key: ApiKeyRecord) => Effect.map(DateTime.now, (at) => nextEnd(key, at))

const runnerKeys = Layer.effect(
  RunnerAuthorization,
  Effect.gen(function* () {
    const authentication = yield* Authentication
    const { guard } = yield* FailedKeys
    return RunnerAuthorization.of({
      runnerKey: (handler, { credential }) =>
        Effect.flatMap(seen(guard(credential, toApiError(authentication.runnerKey(credential)))), (key) =>
          Effect.provideService(handler, RunnerCaller, key)
        )
    })
  })
)

/** The three kinds of key, each for its API, and the sessions beside those of operators. What fails at one of them counts for all. */
export const layer = Layer.mergeAll(apiKeys, runnerKeys, AdminAuthorizationLayer.layer).pipe(
  Layer.provideMerge(FailedKeys.layer),
  Layer.provide(Tally.layer)
)

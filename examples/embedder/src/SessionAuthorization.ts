/** Who calls the integration API: a member of the host by its session, instead of an integration key. */
import { ApiKeyAuthorization, Caller } from "@runhook/contract/Authorization"
import { ApiKeys } from "@runhook/core/ApiKeys"
import { Unauthorized } from "@runhook/core/Authentication"
import { toApiError } from "@runhook/http/ErrorTable"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Members } from "./Members.ts"

export const layer = (members: Members) =>
  Layer.effect(
    ApiKeyAuthorization,
    Effect.map(ApiKeys, (apiKeys) => {
      /** The key that stands for the member: it says what may be used, and signs the callbacks. */
      const keyOf = Effect.fnUntraced(function* (session: string) {
        const member = yield* Effect.promise(() => members.findBySession(session))
        if (member === undefined) return yield* new Unauthorized()
        const { accountId, apiKeyId: id } = member
        return yield* Effect.orDie(apiKeys.get({ accountId, id }))
      })

      return ApiKeyAuthorization.of({
        apiKey: (handler, { credential }) =>
          Effect.flatMap(toApiError(keyOf(Redacted.value(credential))), (key) =>
            Effect.provideService(handler, Caller, key)
          )
      })
    })
  )

/** Who calls the integration API: a member of the host by its session, instead of an integration key. */
import { Caller } from "@runhook/contract/Authorization"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Unauthorized } from "@runhook/core/keys/Authentication"
import { toApiError } from "@runhook/http/errors/ErrorTable"
import { ApiKeyAuthenticator } from "@runhook/http/authentication/Authenticator"
import { bearerOf } from "@runhook/http/authentication/Bearer"
import { byApiKey } from "@runhook/http/authentication/KeyAuthenticators"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Members } from "./Members.ts"

export const layer = (members: Members) =>
  Layer.effect(
    ApiKeyAuthenticator,
    Effect.map(ApiKeys, (apiKeys) => {
      /** The key that stands for the member: it says what may be used, and signs the callbacks. */
      const keyOf = Effect.fnUntraced(function* (session: string) {
        const member = yield* Effect.promise(() => members.findBySession(session))
        if (member === undefined) return yield* new Unauthorized()
        const { accountId, apiKeyId: id } = member
        return yield* Effect.orDie(apiKeys.get({ accountId, id }))
      })

      return ApiKeyAuthenticator.of({
        provides: Caller,
        kind: "integration",
        authenticate: ({ request }) => {
          const session = Redacted.value(bearerOf(request.headers))
          return Effect.map(toApiError(keyOf(session)), (key) => byApiKey(key))
        }
      })
    })
  )

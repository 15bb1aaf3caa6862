/** Operators and integration keys. Secrets are revealed only here, in the answer that makes them. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { overlapSecondsDefault } from "@runhook/contract/keys/KeyWire"
import type { AccountId, ApiKeyId } from "@runhook/core/shared/Ids"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import { type ApiKeyRef, ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Usage } from "@runhook/core/usage/Usage"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { pageBody, pageRequest } from "../shared/Paging.ts"
import { keyChange, keyItem, newKey } from "./KeyToWire.ts"

export const KeyHandlers = handlersOf(
  AdminApi,
  "keys",
  Effect.fnUntraced(function* (handle) {
    const keys = yield* ApiKeys
    const usage = yield* Usage

    /** A key with its secrets and its use. */
    const shown = Effect.fnUntraced(function* (record: ApiKeyRecord) {
      const secrets = yield* keys.signingSecrets(record.accountId, [record.id])
      const known = yield* usage.ofKeys(record.accountId, [record.id])
      return keyItem(record, secrets.get(record.id) ?? [], known.get(record.id))
    })

    return handle({
      create: Effect.fnUntraced(function* ({ params, payload }) {
        const { key, record, signingSecret } = yield* keys.create(newKey(params.account_id, payload))
        return {
          ...(yield* shown(record)),
          key: Redacted.value(key),
          signing_secret: Redacted.value(signingSecret)
        }
      }, toApiError),

      list: Effect.fnUntraced(function* ({ params, query }) {
        const page = yield* keys.list(params.account_id, pageRequest(query))
        const ids = page.items.map(({ id }) => id)
        const secrets = yield* keys.signingSecrets(params.account_id, ids)
        const known = yield* usage.ofKeys(params.account_id, ids)
        return yield* pageBody(page, (key) => keyItem(key, secrets.get(key.id) ?? [], known.get(key.id)))
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params }) {
        const record = yield* keys.get(refOf(params))
        const load = yield* usage.loadOfKey(refOf(params))
        const known = yield* usage.ofKeys(record.accountId, [record.id])
        return {
          ...(yield* shown(record)),
          requests_24h: known.get(record.id)?.requests ?? 0,
          live_executions: load.liveExecutions,
          waiting_deliveries: load.waitingDeliveries
        }
      }, toApiError),

      update: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* shown(yield* keys.update(refOf(params), keyChange(payload)))
      }, toApiError),

      revoke: Effect.fnUntraced(function* ({ params }) {
        yield* keys.revoke(refOf(params))
      }, toApiError),

      rotate: Effect.fnUntraced(function* ({ params, payload }) {
        const { key, previousExpiresAt } = yield* keys.rotate(refOf(params), overlapOf(payload))
        return {
          key: Redacted.value(key),
          previous_expires_at: previousExpiresAt
        }
      }, toApiError),

      rotateSigningSecret: Effect.fnUntraced(function* ({ params, payload }) {
        const { activeAt, previousExpiresAt, signingSecret } = yield* keys.rotateSigningSecret(
          refOf(params),
          {
            mode: payload.mode,
            overlap: overlapOf(payload)
          }
        )
        return {
          signing_secret: Redacted.value(signingSecret),
          active_at: activeAt,
          previous_expires_at: previousExpiresAt
        }
      }, toApiError)
    })
  })
)

const refOf = (params: { readonly account_id: AccountId; readonly key_id: ApiKeyId }): ApiKeyRef => ({
  accountId: params.account_id,
  id: params.key_id
})

const overlapOf = (payload: { readonly overlap_seconds?: number } | null): Duration.Duration =>
  Duration.seconds(payload?.overlap_seconds ?? overlapSecondsDefault)

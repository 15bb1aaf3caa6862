/** Accounts and keys, from the domain to the wire and back. Nothing here shows a secret. */
import type {
  AccountChangeBody,
  AccountItem,
  ApiKeyChangeBody,
  ApiKeyItem,
  NewApiKeyBody,
  RunnerKeyItem
} from "@runhook/contract/wire/KeyWire"
import type { Account } from "@runhook/core/domain/account/Account"
import type { AccountId } from "@runhook/core/domain/Ids"
import type { ApiKeyRecord } from "@runhook/core/domain/keys/ApiKeyRecord"
import type { RateLimit } from "@runhook/core/domain/keys/RateLimit"
import type { RunnerKeyRecord } from "@runhook/core/domain/keys/RunnerKeyRecord"
import type { AccountSettings } from "@runhook/core/ports/AccountStore"
import type { ApiKeyChange } from "@runhook/core/ports/ApiKeyStore"
import type { KeyUsage } from "@runhook/core/ports/UsageStore"
import type { NewApiKey, StatedSigningSecret } from "@runhook/core/usecases/ApiKeys"
import * as Struct from "effect/Struct"

export const accountItem = ({
  createdAt,
  id,
  maxLive,
  name,
  rateLimit
}: Account): typeof AccountItem.Type => ({
  id,
  name,
  rate_limit: rateItem(rateLimit),
  max_live: maxLive,
  created_at: createdAt
})

const rateItem = (limit: RateLimit | null) => limit && { per_second: limit.perSecond, burst: limit.burst }

/** Only the given fields. */
export const accountChange = ({
  max_live,
  rate_limit,
  ...body
}: typeof AccountChangeBody.Type): AccountSettings => ({
  ...body,
  ...(max_live === undefined ? {} : { maxLive: max_live }),
  ...(rate_limit === undefined ? {} : { rateLimit: rate_limit && rateLimit(rate_limit) })
})

/** A key, its secrets, and how it was used; a new one was not. */
export const keyItem = (
  key: ApiKeyRecord,
  secrets: ReadonlyArray<StatedSigningSecret>,
  usage?: KeyUsage
): typeof ApiKeyItem.Type => ({
  id: key.id,
  account_id: key.accountId,
  name: key.name,
  prefix: key.prefix,
  allowed_task_ids: key.allowedTaskIds,
  allowed_agent_ids: key.allowedAgentIds,
  capabilities: key.capabilities,
  expires_at: key.expiresAt,
  max_live: key.maxLive,
  rate_limit: rateItem(key.rateLimit),
  previous_expires_at: key.previousExpiresAt,
  signing_secrets: secrets.map(({ secret, state }) => ({
    state,
    active_at: secret.activeAt,
    expires_at: secret.expiresAt
  })),
  revoked_at: key.revokedAt,
  last_used_at: usage?.lastUsedAt ?? null,
  last_used_from: usage?.lastUsedFrom ?? null,
  created_at: key.createdAt,
  updated_at: key.updatedAt
})

export const runnerKeyItem = (key: RunnerKeyRecord): typeof RunnerKeyItem.Type => ({
  id: key.id,
  account_id: key.accountId,
  name: key.name,
  prefix: key.prefix,
  agent_ids: key.agentIds,
  revoked_at: key.revokedAt,
  created_at: key.createdAt
})

/** By default a key may do everything in its account. */
export const newKey = (accountId: AccountId, body: typeof NewApiKeyBody.Type): NewApiKey => ({
  accountId,
  name: body.name,
  allowedTaskIds: null,
  allowedAgentIds: null,
  capabilities: null,
  maxLive: null,
  rateLimit: null,
  expiresAt: null,
  ...keyChange(body)
})

/** Only the given fields. */
export const keyChange = ({ rate_limit, ...body }: typeof ApiKeyChangeBody.Type): ApiKeyChange => ({
  ...Struct.renameKeys(body, {
    allowed_task_ids: "allowedTaskIds",
    allowed_agent_ids: "allowedAgentIds",
    max_live: "maxLive",
    expires_at: "expiresAt"
  }),
  ...(rate_limit === undefined ? {} : { rateLimit: rate_limit && rateLimit(rate_limit) })
})

const rateLimit = (limit: { readonly per_second: number; readonly burst: number }): RateLimit => ({
  perSecond: limit.per_second,
  burst: limit.burst
})

/** Accounts and keys, from the domain to the wire and back. Nothing here shows a secret. */
import {
  type AccountChangeBody,
  AccountItem,
  type ApiKeyChangeBody,
  ApiKeyItem,
  type NewApiKeyBody,
  RateLimit as RateItem,
  RunnerKeyItem,
  SigningSecret
} from "@runhook/contract/keys/KeyWire"
import type { Account } from "@runhook/core/accounts/Account"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import type { RateLimit } from "@runhook/core/keys/RateLimit"
import type { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import type { AccountSettings } from "@runhook/core/accounts/AccountStore"
import type { ApiKeyChange } from "@runhook/core/keys/ApiKeyStore"
import type { KeyUsage } from "@runhook/core/usage/UsageStore"
import type { NewApiKey, StatedSigningSecret } from "@runhook/core/keys/ApiKeys"
import { inDomainNames, showing } from "../shared/Names.ts"

const rateItem = showing(RateItem)<RateLimit>({})

export const accountItem = showing(AccountItem)<Account>({
  rate_limit: ({ rateLimit }) => rateLimit && rateItem(rateLimit)
})

/** Only the given fields. */
export const accountChange = ({ rate_limit, ...body }: typeof AccountChangeBody.Type): AccountSettings => ({
  ...inDomainNames(body),
  ...rateChange(rate_limit)
})

const secretItem = showing(SigningSecret)<StatedSigningSecret["secret"] & Pick<StatedSigningSecret, "state">>(
  {}
)

/** A key, its secrets, and how it was used; a new one was not. */
export const keyItem = (
  key: ApiKeyRecord,
  secrets: ReadonlyArray<StatedSigningSecret>,
  { lastUsedAt, lastUsedFrom }: Pick<KeyUsage, "lastUsedAt" | "lastUsedFrom"> = unused
) => shownKey({ ...key, secrets, lastUsedAt, lastUsedFrom })

const unused = { lastUsedAt: null, lastUsedFrom: null }

const shownKey = showing(ApiKeyItem)<
  ApiKeyRecord &
    Pick<KeyUsage, "lastUsedAt" | "lastUsedFrom"> & { readonly secrets: ReadonlyArray<StatedSigningSecret> }
>({
  rate_limit: ({ rateLimit }) => rateLimit && rateItem(rateLimit),
  signing_secrets: ({ secrets }) => secrets.map(({ secret, state }) => secretItem({ ...secret, state }))
})

export const runnerKeyItem = showing(RunnerKeyItem)<RunnerKeyRecord>({})

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
  ...inDomainNames(body),
  ...rateChange(rate_limit)
})

const rateChange = (limit: (typeof AccountChangeBody.Type)["rate_limit"]) =>
  limit === undefined ? {} : { rateLimit: limit && inDomainNames(limit) }

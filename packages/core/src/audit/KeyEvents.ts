/** Audit events of accounts and keys. They contain neither secrets nor hashes. */
import type * as DateTime from "effect/DateTime"
import type { Account } from "../accounts/Account.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import type { ApiKeyRecord } from "../keys/ApiKeyRecord.ts"
import type { RunnerKeyRecord } from "../keys/RunnerKeyRecord.ts"
import type { SigningSecretRecord } from "../keys/SigningSecretRecord.ts"
import { about, changed, event, textOf } from "./AuditedChange.ts"

export const accountCreated = (account: Account) =>
  event(ofAccount(account), "account.created", { name: account.name })

export const accountUpdated = (before: Account, after: Account) =>
  changed(ofAccount(after), "account.updated", accountState(before), accountState(after))

/** What it was is gone but for this. */
export const accountRemoved = (account: Account) =>
  event(ofAccount(account), "account.removed", null, accountState(account))

export const keyCreated = (key: ApiKeyRecord) => event(ofKey(key), "key.created", keyState(key))

export const keyUpdated = (before: ApiKeyRecord, after: ApiKeyRecord) =>
  changed(ofKey(after), "key.updated", keyState(before), keyState(after))

/** Undefined if it was already revoked. */
export const keyRevoked = (before: ApiKeyRecord, after: ApiKeyRecord) =>
  before.revokedAt === null
    ? event(ofKey(after), "key.revoked", { revoked_at: textOf(after.revokedAt) }, { revoked_at: null })
    : undefined

export const keyRotated = (before: ApiKeyRecord, after: ApiKeyRecord) => {
  const stateOf = (key: ApiKeyRecord) => ({ previous_expires_at: textOf(key.previousExpiresAt) })
  return event(ofKey(after), "key.rotated", stateOf(after), stateOf(before))
}

export const signingSecretRotated = (
  key: KeyName,
  {
    previousExpiresAt,
    secret
  }: { readonly previousExpiresAt: DateTime.Utc; readonly secret: SigningSecretRecord }
) =>
  event(ofKey(key), "signing_secret.rotated", {
    active_at: textOf(secret.activeAt),
    previous_expires_at: textOf(previousExpiresAt)
  })

/** The same secret, sealed under another secret key of the service. */
export const signingSecretResealed = (key: KeyName) => event(ofKey(key), "signing_secret.resealed", null)

export const runnerKeyCreated = (key: RunnerKeyRecord) =>
  event(ofRunnerKey(key), "runner_key.created", {
    name: key.name,
    prefix: key.prefix,
    agent_ids: key.agentIds
  })

/** Undefined if it was already revoked. */
export const runnerKeyRevoked = (before: RunnerKeyRecord, at: DateTime.Utc) =>
  before.revokedAt === null
    ? event(ofRunnerKey(before), "runner_key.revoked", { revoked_at: textOf(at) }, { revoked_at: null })
    : undefined

/** What an event says about its key. */
export type KeyName = Pick<ApiKeyRecord, "accountId" | "id" | "name">

const ofAccount = ({ id, name }: Account) => about(id, { kind: "account", id, name })

const ofKey = ({ accountId, id, name }: KeyName) => about(accountId, { kind: "key", id, name })

const ofRunnerKey = ({ accountId, id, name }: RunnerKeyRecord) =>
  about(accountId, { kind: "runner_key", id, name })

const accountState = ({ maxLive, name, rateLimit, retentionDays }: Account): JsonObject => ({
  name,
  max_live: maxLive,
  rate_limit: rateState(rateLimit),
  retention_days: retentionDays
})

const keyState = (key: ApiKeyRecord): JsonObject => ({
  name: key.name,
  prefix: key.prefix,
  allowed_task_ids: key.allowedTaskIds,
  allowed_agent_ids: key.allowedAgentIds,
  capabilities: key.capabilities,
  expires_at: textOf(key.expiresAt),
  max_live: key.maxLive,
  rate_limit: rateState(key.rateLimit)
})

const rateState = (limit: Account["rateLimit"]) =>
  limit && { per_second: limit.perSecond, burst: limit.burst }

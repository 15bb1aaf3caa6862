/** Audit events of accounts and keys. They contain neither secrets nor hashes. */
import * as DateTime from "effect/DateTime"
import type { Account } from "../account/Account.ts"
import type { AccountId, ApiKeyId } from "../Ids.ts"
import type { JsonObject } from "../json/Json.ts"
import type { ApiKeyRecord } from "../keys/ApiKeyRecord.ts"
import type { RunnerKeyRecord } from "../keys/RunnerKeyRecord.ts"
import type { SigningSecretRecord } from "../keys/SigningSecretRecord.ts"
import { differenceOf } from "./AuditedChange.ts"
import type { AuditEvent, AuditSubject } from "./AuditEntry.ts"

export const accountCreated = ({ id, name }: Account): AuditEvent => ({
  accountId: id,
  action: "account.created",
  subject: { kind: "account", id, name },
  before: null,
  after: { name }
})

/** Undefined if nothing differs. */
export const accountUpdated = (before: Account, after: Account): AuditEvent | undefined => {
  const { id, name } = after
  const difference = differenceOf(accountState(before), accountState(after))
  return (
    difference && {
      accountId: id,
      action: "account.updated",
      subject: { kind: "account", id, name },
      ...difference
    }
  )
}

const accountState = ({ maxLive, name, rateLimit }: Account): JsonObject => ({
  name,
  max_live: maxLive,
  rate_limit: rateState(rateLimit)
})

const rateState = (limit: Account["rateLimit"]) =>
  limit && { per_second: limit.perSecond, burst: limit.burst }

export const keyCreated = (key: ApiKeyRecord): AuditEvent => ({
  ...ofKey(key),
  action: "key.created",
  before: null,
  after: keyState(key)
})

/** Undefined if nothing differs. */
export const keyUpdated = (before: ApiKeyRecord, after: ApiKeyRecord): AuditEvent | undefined => {
  const difference = differenceOf(keyState(before), keyState(after))
  return difference && { ...ofKey(after), action: "key.updated", ...difference }
}

/** Undefined if it was already revoked. */
export const keyRevoked = (before: ApiKeyRecord, after: ApiKeyRecord): AuditEvent | undefined =>
  before.revokedAt === null
    ? {
        ...ofKey(after),
        action: "key.revoked",
        before: { revoked_at: null },
        after: { revoked_at: text(after.revokedAt) }
      }
    : undefined

export const keyRotated = (before: ApiKeyRecord, after: ApiKeyRecord): AuditEvent => ({
  ...ofKey(after),
  action: "key.rotated",
  before: { previous_expires_at: text(before.previousExpiresAt) },
  after: { previous_expires_at: text(after.previousExpiresAt) }
})

export const signingSecretRotated = (
  key: KeyName,
  {
    previousExpiresAt,
    secret
  }: { readonly previousExpiresAt: DateTime.Utc; readonly secret: SigningSecretRecord }
): AuditEvent => ({
  ...ofKey(key),
  action: "signing_secret.rotated",
  before: null,
  after: { active_at: text(secret.activeAt), previous_expires_at: text(previousExpiresAt) }
})

/** The same secret, sealed under another secret key of the service. */
export const signingSecretResealed = (key: KeyName): AuditEvent => ({
  ...ofKey(key),
  action: "signing_secret.resealed",
  before: null,
  after: null
})

export const runnerKeyCreated = (key: RunnerKeyRecord): AuditEvent => ({
  ...ofRunnerKey(key),
  action: "runner_key.created",
  before: null,
  after: { name: key.name, prefix: key.prefix, agent_ids: key.agentIds }
})

/** Undefined if it was already revoked. */
export const runnerKeyRevoked = (before: RunnerKeyRecord, at: DateTime.Utc): AuditEvent | undefined =>
  before.revokedAt === null
    ? {
        ...ofRunnerKey(before),
        action: "runner_key.revoked",
        before: { revoked_at: null },
        after: { revoked_at: text(at) }
      }
    : undefined

/** What an event says about its key. */
export interface KeyName {
  readonly accountId: AccountId
  readonly id: ApiKeyId
  readonly name: string
}

const ofKey = ({ accountId, id, name }: KeyName) => about(accountId, { kind: "key", id, name })

const ofRunnerKey = ({ accountId, id, name }: RunnerKeyRecord) =>
  about(accountId, { kind: "runner_key", id, name })

const about = (accountId: AccountId, subject: AuditSubject) => ({ accountId, subject })

const keyState = (key: ApiKeyRecord): JsonObject => ({
  name: key.name,
  prefix: key.prefix,
  allowed_task_ids: key.allowedTaskIds,
  allowed_agent_ids: key.allowedAgentIds,
  capabilities: key.capabilities,
  expires_at: text(key.expiresAt),
  max_live: key.maxLive,
  rate_limit: key.rateLimit && { per_second: key.rateLimit.perSecond, burst: key.rateLimit.burst }
})

const text = (instant: DateTime.Utc | null): string | null => instant && DateTime.formatIso(instant)

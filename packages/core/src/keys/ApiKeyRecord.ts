/** What is known about an integration key. Its secret is kept as hashes only. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { Name } from "../accounts/Account.ts"
import { AccountId, AgentId, ApiKeyId, TaskId } from "../shared/Ids.ts"
import { RateLimit } from "./RateLimit.ts"

/**
 * What a key may do; a key made without a list may do all of it.
 * `executions:write` covers create, cancel, release and answers, and schedules.
 */
export const Capability = Schema.Literals([
  "executions:read",
  "executions:write",
  "artifacts:read",
  "catalog:read",
  "webhooks:test",
  "webhooks:read",
  "webhooks:replay",
  "alerts:manage",
  "endpoints:manage"
])
export type Capability = typeof Capability.Type

export const ApiKeyRecord = Schema.Struct({
  id: ApiKeyId,
  accountId: AccountId,
  name: Name,
  /** The public part of the key, which finds it. */
  prefix: Schema.String,
  /** HMAC-SHA256 of the key under the server's pepper, hex. */
  secretHash: Schema.String,
  /** Still accepted until `previousExpiresAt` after a rotation. */
  previousHash: Schema.NullOr(Schema.String),
  previousExpiresAt: Schema.NullOr(Schema.DateTimeUtc),
  /** Null: all tasks of the account. Empty: none. */
  allowedTaskIds: Schema.NullOr(Schema.Array(TaskId)),
  /** Null: all agents of the account. Empty: none. */
  allowedAgentIds: Schema.NullOr(Schema.Array(AgentId)),
  capabilities: Schema.NullOr(Schema.Array(Capability)),
  /** Unfinished executions the key may have at once; null: only the account's limit. */
  maxLive: Schema.NullOr(Schema.Int),
  /** Null: the service's default. */
  rateLimit: Schema.NullOr(RateLimit),
  expiresAt: Schema.NullOr(Schema.DateTimeUtc),
  revokedAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})
export type ApiKeyRecord = typeof ApiKeyRecord.Type

/** Whether the key is valid at `at`. */
export const isUsable = (key: Pick<ApiKeyRecord, "expiresAt" | "revokedAt">, at: DateTime.Utc): boolean =>
  key.revokedAt === null && (key.expiresAt === null || DateTime.isGreaterThan(key.expiresAt, at))

/** The hashes that a presented key may match at `at`. */
export const acceptedHashes = (key: ApiKeyRecord, at: DateTime.Utc): ReadonlyArray<string> =>
  key.previousHash !== null &&
  key.previousExpiresAt !== null &&
  DateTime.isGreaterThan(key.previousExpiresAt, at)
    ? [key.secretHash, key.previousHash]
    : [key.secretHash]

/** When the key, or its previous secret, expires next. Null if neither will. */
export const nextEnd = (
  { expiresAt, previousExpiresAt }: ApiKeyRecord,
  at: DateTime.Utc
): DateTime.Utc | null =>
  [expiresAt, previousExpiresAt].reduce(
    (next, end) =>
      end === null || DateTime.isLessThanOrEqualTo(end, at) ? next : DateTime.min(next ?? end, end),
    null
  )

export const mayUseTask = (key: ApiKeyRecord, id: TaskId): boolean =>
  key.allowedTaskIds === null || key.allowedTaskIds.includes(id)

export const mayUseAgent = (key: ApiKeyRecord, id: AgentId): boolean =>
  key.allowedAgentIds === null || key.allowedAgentIds.includes(id)

export const isCapable = (key: Pick<ApiKeyRecord, "capabilities">, capability: Capability): boolean =>
  key.capabilities === null || key.capabilities.includes(capability)

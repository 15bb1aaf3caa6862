/** Keys of all kinds as their rows hold them. */
import { ApiKeyRecord } from "@runhook/core/domain/keys/ApiKeyRecord"
import { RunnerKeyRecord } from "@runhook/core/domain/keys/RunnerKeyRecord"
import { SigningSecretRecord } from "@runhook/core/domain/keys/SigningSecretRecord"
import { rowTable } from "../rows/RowTable.ts"

export const apiKeyTable = rowTable(
  {
    id: "id",
    accountId: "account_id",
    name: "name",
    prefix: "prefix",
    secretHash: "secret_hash",
    previousHash: "previous_hash",
    previousExpiresAt: "previous_expires_at",
    allowedTaskIds: "allowed_task_ids",
    allowedAgentIds: "allowed_agent_ids",
    capabilities: "capabilities",
    maxLive: "max_live",
    rateLimit: "rate_limit",
    expiresAt: "expires_at",
    revokedAt: "revoked_at",
    createdAt: "created_at",
    updatedAt: "updated_at"
  },
  ApiKeyRecord
)

export const signingSecretTable = rowTable(
  {
    id: "id",
    apiKeyId: "api_key_id",
    ciphertext: "ciphertext",
    activeAt: "active_at",
    expiresAt: "expires_at",
    createdAt: "created_at"
  },
  SigningSecretRecord
)

export const runnerKeyTable = rowTable(
  {
    id: "id",
    accountId: "account_id",
    name: "name",
    prefix: "prefix",
    secretHash: "secret_hash",
    agentIds: "agent_ids",
    revokedAt: "revoked_at",
    createdAt: "created_at"
  },
  RunnerKeyRecord
)

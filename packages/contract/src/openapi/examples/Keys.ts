/** Accounts and keys. Where a secret would stand, the example says only what its form is. */
import {
  AccountChangeBody,
  AccountDetail,
  AccountItem,
  ApiKeyChangeBody,
  ApiKeyCreated,
  ApiKeyDetail,
  ApiKeyFacts,
  ApiKeyItem,
  KeyRotated,
  NewAccount,
  NewApiKeyBody,
  NewRunnerKeyBody,
  RotateKeyBody,
  RotateSigningSecretBody,
  RunnerKeyCreated,
  RunnerKeyItem,
  SigningSecretRotated
} from "../../wire/KeyWire.ts"
import { SecretKeysResealed } from "../../wire/SecretKeyWire.ts"
import { exampleOf, pageExample } from "./Example.ts"
import { ids, requestId, times } from "./Names.ts"

const account = {
  id: ids.account,
  name: "Acme",
  rate_limit: { per_second: 200, burst: 2_000 },
  max_live: null,
  created_at: times.set_up
}

const scope = {
  name: "Back office",
  allowed_task_ids: [ids.task],
  allowed_agent_ids: null,
  capabilities: null,
  expires_at: null,
  max_live: 500,
  rate_limit: { per_second: 20, burst: 200 }
}

const key = {
  id: ids.apiKey,
  account_id: ids.account,
  prefix: "Ab3dE6gH",
  ...scope,
  previous_expires_at: null,
  signing_secrets: [{ state: "active" as const, active_at: times.set_up, expires_at: null }],
  revoked_at: null,
  last_used_at: times.queued,
  last_used_from: "203.0.113.7",
  created_at: times.set_up,
  updated_at: times.set_up
}

const runnerKey = {
  id: ids.runnerKey,
  account_id: ids.account,
  name: "Cellar",
  prefix: "Jk7mN0pQ",
  agent_ids: [ids.agent],
  revoked_at: null,
  created_at: times.set_up
}

const secret = { key: "rhlive_<prefix>_<secret>", signing: "whsec_<base64>" }

export const keyExamples = [
  exampleOf(NewAccount, { name: "Acme" }),
  exampleOf(AccountChangeBody, { rate_limit: { per_second: 200, burst: 2_000 } }),
  exampleOf(AccountDetail, { ...account, request_id: requestId }),
  pageExample("AccountPage", AccountItem, [account]),

  exampleOf(NewApiKeyBody, scope),
  exampleOf(ApiKeyChangeBody, { max_live: 1_000, allowed_task_ids: null }),
  exampleOf(ApiKeyCreated, {
    ...key,
    last_used_at: null,
    last_used_from: null,
    key: secret.key,
    signing_secret: secret.signing,
    request_id: requestId
  }),
  exampleOf(ApiKeyDetail, { ...key, request_id: requestId }),
  exampleOf(ApiKeyFacts, {
    ...key,
    requests_24h: 412,
    live_executions: 14,
    waiting_deliveries: 3,
    request_id: requestId
  }),
  pageExample("KeyPage", ApiKeyItem, [key]),
  exampleOf(RotateKeyBody, { overlap_seconds: 86_400 }),
  exampleOf(KeyRotated, { key: secret.key, previous_expires_at: times.tomorrow, request_id: requestId }),
  exampleOf(RotateSigningSecretBody, { mode: "staged", overlap_seconds: 86_400 }),
  exampleOf(SigningSecretRotated, {
    signing_secret: secret.signing,
    active_at: times.tomorrow,
    previous_expires_at: "2026-03-04T09:30:00.000Z",
    request_id: requestId
  }),

  exampleOf(NewRunnerKeyBody, { name: "Cellar", agent_ids: [ids.agent] }),
  exampleOf(RunnerKeyCreated, { ...runnerKey, key: "rhrun_<prefix>_<secret>", request_id: requestId }),
  pageExample("RunnerKeyPage", RunnerKeyItem, [runnerKey]),

  exampleOf(SecretKeysResealed, {
    newest_key: "b1946ac9",
    older_keys: ["591785b7"],
    resealed: 12,
    broken: 0,
    request_id: requestId
  })
]

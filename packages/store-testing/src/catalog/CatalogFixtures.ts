/**
 * Accounts and what belongs to them, stored, and fresh for each test: so tests
 * may share a database, with each other and with whatever else lies in it.
 */
import type { Account } from "@runhook/core/accounts/Account"
import type { Agent } from "@runhook/core/catalog/Agent"
import type { Task, TaskVersion } from "@runhook/core/catalog/Task"
import { atOnce } from "@runhook/core/executions/RetryBackoff"
import {
  AccountId,
  AgentId,
  ApiKeyId,
  newId,
  RunnerKeyId,
  SigningSecretId,
  TaskId,
  TaskVersionId
} from "@runhook/core/shared/Ids"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import type { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import type { SigningSecretRecord } from "@runhook/core/keys/SigningSecretRecord"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { AgentStore } from "@runhook/core/catalog/AgentStore"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { RunnerKeyStore } from "@runhook/core/keys/RunnerKeyStore"
import { type TaskFilter, TaskStore } from "@runhook/core/catalog/TaskStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

export const makeAccount = Effect.fnUntraced(function* (fields: Partial<Account> = {}) {
  const accounts = yield* AccountStore
  const account: Account = {
    id: yield* newId(AccountId),
    name: "Acme",
    rateLimit: null,
    maxLive: null,
    retentionDays: null,
    createdAt: yield* DateTime.now,
    ...fields
  }
  yield* accounts.create(account)
  return account
})

/** A key that is not stored yet. Its prefix is its id, so that no two have the same. */
export const newApiKey = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<ApiKeyRecord> = {}
) {
  const id = yield* newId(ApiKeyId)
  const at = yield* DateTime.now
  const key: ApiKeyRecord = {
    id,
    accountId,
    name: "Back office",
    prefix: id,
    secretHash: "hash of the first secret",
    previousHash: null,
    previousExpiresAt: null,
    allowedTaskIds: null,
    allowedAgentIds: null,
    capabilities: null,
    maxLive: null,
    rateLimit: null,
    expiresAt: null,
    revokedAt: null,
    createdAt: at,
    updatedAt: at,
    ...fields
  }
  return key
})

/** A signing secret that is not stored yet. */
export const newSigningSecret = Effect.fnUntraced(function* (
  apiKeyId: ApiKeyId,
  fields: Partial<SigningSecretRecord> = {}
) {
  const at = yield* DateTime.now
  const secret: SigningSecretRecord = {
    id: yield* newId(SigningSecretId),
    apiKeyId,
    ciphertext: "sealed",
    activeAt: at,
    expiresAt: null,
    createdAt: at,
    ...fields
  }
  return secret
})

/** A stored key with one signing secret. */
export const makeApiKey = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<ApiKeyRecord> = {}
) {
  const keys = yield* ApiKeyStore
  const key = yield* newApiKey(accountId, fields)
  yield* keys.create(key, yield* newSigningSecret(key.id))
  return key
})

export const makeRunnerKey = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<RunnerKeyRecord> = {}
) {
  const keys = yield* RunnerKeyStore
  const id = yield* newId(RunnerKeyId)
  const key: RunnerKeyRecord = {
    id,
    accountId,
    name: "Machine room",
    prefix: id,
    secretHash: "hash of the secret",
    agentIds: null,
    revokedAt: null,
    createdAt: yield* DateTime.now,
    ...fields
  }
  yield* keys.create(key)
  return key
})

/** A task that is not stored yet. */
export const newTask = Effect.fnUntraced(function* (accountId: AccountId, fields: Partial<Task> = {}) {
  const id = yield* newId(TaskId)
  const at = yield* DateTime.now
  const task: Task = {
    id,
    accountId,
    slug: `task-${id}`,
    name: "Fetch invoices",
    description: "",
    platforms: [],
    timeoutSeconds: null,
    maxAttempts: 1,
    retryBackoff: atOnce,
    enabled: true,
    createdAt: at,
    updatedAt: at,
    ...fields
  }
  return task
})

/** A stored task without versions. */
export const makeTask = Effect.fnUntraced(function* (accountId: AccountId, fields: Partial<Task> = {}) {
  const tasks = yield* TaskStore
  const task = yield* newTask(accountId, fields)
  yield* tasks.create(task).pipe(Effect.orDie)
  return task
})

/** A version that is not published yet. */
export const newVersion = Effect.fnUntraced(function* (
  task: Pick<Task, "id" | "accountId">,
  fields: Partial<Omit<TaskVersion, "number">> = {}
) {
  const version: Omit<TaskVersion, "number"> = {
    id: yield* newId(TaskVersionId),
    taskId: task.id,
    accountId: task.accountId,
    paramsSchema: { type: "object" },
    resultSchema: null,
    publishedAt: yield* DateTime.now,
    ...fields
  }
  return version
})

/** A published version; current, unless told otherwise. */
export const makeVersion = Effect.fnUntraced(function* (
  task: Pick<Task, "id" | "accountId">,
  {
    tags = [],
    makeCurrent = true,
    ...fields
  }: Partial<Omit<TaskVersion, "number">> & {
    readonly tags?: ReadonlyArray<string>
    readonly makeCurrent?: boolean
  } = {}
) {
  const tasks = yield* TaskStore
  const version = yield* newVersion(task, fields)
  return yield* tasks.publish({ version, tags, makeCurrent }).pipe(Effect.orDie)
})

export const makeAgent = Effect.fnUntraced(function* (accountId: AccountId, fields: Partial<Agent> = {}) {
  const agents = yield* AgentStore
  const at = yield* DateTime.now
  const agent: Agent = {
    id: yield* newId(AgentId),
    accountId,
    name: "Clerk",
    description: "",
    labels: {},
    capacity: 1,
    state: "active",
    createdAt: at,
    updatedAt: at,
    ...fields
  }
  yield* agents.create(agent)
  return agent
})

/** The filter that finds every task of an account. */
export const anyTask: TaskFilter = { ids: null, text: null, tag: null }

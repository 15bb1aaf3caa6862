/** A customer of the service with all it takes to queue executions, and the executions it queues. */
import type { Agent } from "@runhook/core/catalog/Agent"
import type { Task, TaskVersionSummary } from "@runhook/core/catalog/Task"
import type { CreateExecution } from "@runhook/core/executions/create/CreateExecution"
import type { Execution } from "@runhook/core/executions/Execution"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import type { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { Agents } from "@runhook/core/catalog/Agents"
import { ApiKeys, type NewApiKey } from "@runhook/core/keys/ApiKeys"
import { Deliveries } from "@runhook/core/deliveries/Deliveries"
import type { CreateCall } from "@runhook/core/executions/create/ExecutionCreates"
import { Executions } from "@runhook/core/executions/Executions"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { type NewVersion, Tasks } from "@runhook/core/catalog/Tasks"
import type { NewEndpoint } from "@runhook/core/endpoints/WebhookEndpoints"
import { anyExecution, second } from "@runhook/store-testing/Fixtures"
import { anyDelivery } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"

export interface Tenant {
  readonly caller: ApiKeyRecord
  readonly runnerKey: RunnerKeyRecord
  readonly agent: Agent
  readonly task: Task
  readonly version: TaskVersionSummary
}

/** What is to be otherwise than usual. */
export interface TenantFields {
  readonly agent?: Partial<Pick<Agent, "capacity">>
  readonly key?: Partial<NewApiKey>
  readonly task?: Partial<Pick<Task, "maxAttempts" | "timeoutSeconds">>
  readonly version?: Partial<NewVersion>
}

export const newKey = (caller: Pick<NewApiKey, "accountId">, fields: Partial<NewApiKey> = {}): NewApiKey => ({
  accountId: caller.accountId,
  name: "Back office",
  allowedTaskIds: null,
  allowedAgentIds: null,
  capabilities: null,
  maxLive: null,
  rateLimit: null,
  expiresAt: null,
  ...fields
})

/** An endpoint of the account that is sent all events. */
export const newEndpoint = (
  { accountId }: Pick<NewEndpoint, "accountId">,
  fields: Partial<NewEndpoint> = {}
): NewEndpoint => ({
  accountId,
  apiKeyId: null,
  kind: "push",
  url: "https://hooks.example.com/runhook",
  description: "",
  eventTypes: null,
  taskIds: null,
  agentIds: null,
  isEnabled: true,
  removeAfterSeconds: null,
  ...fields
})

/** A key, of a new account unless one is named. */
export const makeKey = Effect.fnUntraced(function* (fields: Partial<NewApiKey> = {}) {
  const accountId = fields.accountId ?? (yield* (yield* Accounts).create("Acme")).id
  return yield* (yield* ApiKeys).create(newKey({ accountId }, fields))
})

export const makeAgent = Effect.fnUntraced(function* (
  { accountId }: Pick<Agent, "accountId">,
  fields: TenantFields["agent"] = {}
) {
  const agents = yield* Agents
  const view = yield* agents.create({
    accountId,
    name: "Clerk",
    description: "",
    labels: {},
    capacity: 5,
    ...fields
  })
  return view.agent
})

/** A task without versions. */
export const makeTask = Effect.fnUntraced(function* (
  { accountId }: Pick<Task, "accountId">,
  fields: Partial<Pick<Task, "maxAttempts" | "slug" | "timeoutSeconds">> = {}
) {
  const tasks = yield* Tasks
  const view = yield* tasks.create({
    accountId,
    slug: "fetch-invoices",
    name: "Fetch invoices",
    description: "",
    platforms: [],
    timeoutSeconds: null,
    maxAttempts: 1,
    ...fields
  })
  return view.task
})

/** A published version that takes any params; current, unless told otherwise. */
export const makeVersion = Effect.fnUntraced(function* (
  { accountId, id }: Pick<Task, "accountId" | "id">,
  fields: Partial<NewVersion> = {}
) {
  const tasks = yield* Tasks
  return yield* tasks.publish(
    { accountId, taskId: id },
    { paramsSchema: { type: "object" }, resultSchema: null, tags: [], makeCurrent: true, ...fields }
  )
})

export const makeTenant = Effect.fnUntraced(function* (fields: TenantFields = {}) {
  if (DateTime.isLessThan(yield* DateTime.now, second(0)))
    yield* TestClock.setTime(second(0).epochMilliseconds)
  const { id: accountId } = yield* (yield* Accounts).create("Acme")
  const { record: caller } = yield* makeKey({ accountId, ...fields.key })
  const agent = yield* makeAgent({ accountId }, fields.agent)
  const task = yield* makeTask({ accountId }, fields.task)
  const version = yield* makeVersion(task, fields.version)
  const runnerKey = yield* (yield* RunnerKeys).create({ accountId, name: "Machine room", agentIds: null })
  const tenant: Tenant = { caller, agent, task, version, runnerKey: runnerKey.record }
  return tenant
})

/** A runner key that may not serve the tenant's agent, but another one. */
export const makeKeyForAnotherAgent = Effect.fnUntraced(function* ({ agent }: Pick<Tenant, "agent">) {
  const { accountId, id } = yield* makeAgent(agent)
  const { record } = yield* (yield* RunnerKeys).create({ accountId, name: "Other", agentIds: [id] })
  return record
})

/** A request to run the tenant's task on its agent. */
export const newRequest = (
  { agent, task }: Pick<Tenant, "agent" | "task">,
  fields: Partial<CreateExecution> = {}
): CreateExecution => ({
  agentId: agent.id,
  taskId: task.id,
  taskVersionId: undefined,
  version: undefined,
  v: undefined,
  params: {},
  reference: null,
  metadata: {},
  callbackUrl: null,
  callbackEvents: null,
  scheduledAt: null,
  priority: 0,
  isHeld: false,
  expiresAt: null,
  timeoutSeconds: null,
  concurrency: null,
  ...fields
})

/** A create of such a request, without an idempotency key. */
export const newCall = (tenant: Tenant, fields: Partial<CreateExecution> = {}): CreateCall => ({
  caller: tenant.caller,
  request: newRequest(tenant, fields),
  idempotencyKey: undefined,
  requestId: "req_test"
})

export const makeExecution = Effect.fnUntraced(function* (
  tenant: Tenant,
  fields: Partial<CreateExecution> = {}
) {
  const { execution } = yield* (yield* Executions).create(newCall(tenant, fields))
  return execution
})

/** The execution as it is now. */
export const current = Effect.fnUntraced(function* ({ accountId, id }: Pick<Execution, "accountId" | "id">) {
  return yield* (yield* Executions).get({ accountId, id })
})

/** All executions of the tenant, newest first. */
export const executionsOf = Effect.fnUntraced(function* ({ caller }: Pick<Tenant, "caller">) {
  const page = yield* (yield* Executions).list(caller.accountId, anyExecution, { after: null, limit: 200 })
  return page.items
})

/** All deliveries of the tenant, newest first. */
export const deliveriesOf = Effect.fnUntraced(function* ({ caller }: Pick<Tenant, "caller">) {
  const page = yield* (yield* Deliveries).list(caller.accountId, anyDelivery, { after: null, limit: 200 })
  return page.items
})

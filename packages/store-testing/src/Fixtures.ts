/**
 * What tests of executions begin with. Tests name their instants themselves: whatever the
 * clock says, the first moment of a test is `second(0)`.
 */
import type { Agent } from "@runhook/core/catalog/Agent"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { Execution } from "@runhook/core/executions/Execution"
import { atOnce } from "@runhook/core/executions/RetryBackoff"
import {
  type AccountId,
  type AgentId,
  type ApiKeyId,
  ExecutionId,
  type RunnerKeyId,
  type TaskId,
  type TaskVersionId
} from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { AccountStore } from "@runhook/core/accounts/AccountStore"
import type { AgentStore } from "@runhook/core/catalog/AgentStore"
import type { AlertStore } from "@runhook/core/alerts/AlertStore"
import type { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import type { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import type { AuditStore } from "@runhook/core/audit/AuditStore"
import type { PeopleStore } from "@runhook/core/people/PeopleStore"
import type { CancelStore } from "@runhook/core/cancels/CancelStore"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import type { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { type ExecutionFilter, ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import type { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import type { EvidenceKeyStore } from "@runhook/core/evidence/EvidenceKeyStore"
import type { PepperStore } from "@runhook/core/keys/sealing/PepperStore"
import type { ReplayStore } from "@runhook/core/replays/ReplayStore"
import type { RunnerKeyStore } from "@runhook/core/keys/RunnerKeyStore"
import type { RunStore } from "@runhook/core/runs/RunStore"
import type { ScheduleStore } from "@runhook/core/schedules/ScheduleStore"
import type { SealedValues } from "@runhook/core/keys/sealing/SealedValues"
import type { SweepStore } from "@runhook/core/sweeps/SweepStore"
import type { TaskStore } from "@runhook/core/catalog/TaskStore"
import type { UsageStore } from "@runhook/core/usage/UsageStore"
import type { DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import type { WorkInlets } from "@runhook/core/runs/claim/WorkInlets"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import {
  makeAccount,
  makeAgent,
  makeApiKey,
  makeRunnerKey,
  makeTask,
  makeVersion
} from "./catalog/CatalogFixtures.ts"

/** What the layer of an adapter under test provides: every store, over one database, and what makes ids. */
export type Stores =
  | AccountStore
  | AgentStore
  | AlertStore
  | ApiKeyStore
  | ArtifactStore
  | AuditStore
  | PeopleStore
  | CancelStore
  | DeliveryInlets
  | DeliveryStore
  | EndpointStore
  | ExecutionStore
  | HistoryStore
  | EvidenceKeyStore
  | PepperStore
  | ReplayStore
  | RunnerKeyStore
  | RunStore
  | ScheduleStore
  | SealedValues
  | SecureRandom
  | SweepStore
  | TaskStore
  | UsageStore
  | WorkInlets

const start = DateTime.makeUnsafe("2030-01-01T00:00:00.000Z")

/** The instant that many seconds into a test. */
export const second = (seconds: number): DateTime.Utc =>
  DateTime.add(start, { milliseconds: seconds * 1_000 })

/** An id that was made at an instant of the test. */
export const idAt = Effect.fnUntraced(function* <Id extends string>(
  kind: { make(value: string): Id },
  at: DateTime.Utc
) {
  const { uuidV7 } = yield* SecureRandom
  const millis = at.epochMilliseconds.toString(16).padStart(12, "0")
  const random = (yield* uuidV7()).slice("00000000-0000-".length)
  return kind.make(`${millis.slice(0, 8)}-${millis.slice(8)}-${random}`)
})

/** An account of its own, so that tests never meet, with what it takes to queue and run executions. */
export interface Tenant {
  readonly accountId: AccountId
  readonly apiKeyId: ApiKeyId
  readonly taskId: TaskId
  readonly taskVersionId: TaskVersionId
  readonly agentId: AgentId
  readonly runnerKeyId: RunnerKeyId
}

/** A tenant whose agent runs five executions at once, unless told otherwise. */
export const makeTenant = Effect.fnUntraced(function* (agent: Partial<Agent> = {}) {
  const { id: accountId } = yield* makeAccount()
  const task = yield* makeTask(accountId)
  const tenant: Tenant = {
    accountId,
    apiKeyId: (yield* makeApiKey(accountId)).id,
    taskId: task.id,
    taskVersionId: (yield* makeVersion(task)).id,
    agentId: (yield* makeAgent(accountId, { capacity: 5, ...agent })).id,
    runnerKeyId: (yield* makeRunnerKey(accountId)).id
  }
  return tenant
})

type Named = "accountId" | "agentId" | "apiKeyId" | "createdAt" | "id" | "taskId" | "taskVersionId"

/** An execution that was just queued, with these fields. */
export const queuedExecution = (fields: Partial<Execution> & Pick<Execution, Named>): Execution => ({
  status: "queued",
  statusReason: null,
  reference: fields.id,
  metadata: StoredJson.of({ order: 7, "_service.origin": "test" }),
  params: StoredJson.of({ url: "https://example.com" }),
  result: null,
  errorMessage: null,
  priority: 0,
  scheduledAt: null,
  expiresAt: null,
  timeoutSeconds: null,
  maxAttempts: 1,
  retryBackoff: atOnce,
  attempt: 0,
  epoch: 0,
  inputRequest: null,
  callbackUrl: null,
  callbackEvents: null,
  requestId: "req_test",
  sealedParams: null,
  rerunOf: null,
  scheduleId: null,
  concurrency: null,
  traceparent: null,
  updatedAt: fields.createdAt,
  startedAt: null,
  stoppedAt: null,
  ...fields
})

/** A new execution of the tenant that is not stored yet. */
export const newExecution = Effect.fnUntraced(function* (tenant: Tenant, fields: Partial<Execution> = {}) {
  const createdAt = fields.createdAt ?? second(0)
  const id = yield* idAt(ExecutionId, createdAt)
  const { runnerKeyId: _, ...ids } = tenant
  return queuedExecution({ ...ids, id, createdAt, ...fields })
})

/** More unfinished executions than any test makes. */
export const plenty = 1_000_000

/** How `create` is told that neither key nor limits matter. */
export const unlimited = { idempotency: null, accountMaxLive: plenty, keyMaxLive: null }

/** A stored execution of the tenant: queued, unless told otherwise. */
export const makeExecution = Effect.fnUntraced(function* (tenant: Tenant, fields: Partial<Execution> = {}) {
  const store = yield* ExecutionStore
  const execution = yield* newExecution(tenant, fields)
  const { change } = yield* Effect.orDie(store.create({ ...unlimited, execution }))
  return change.run.execution
})

/** The filter that finds every execution of an account. */
export const anyExecution: ExecutionFilter = {
  statuses: null,
  taskId: null,
  agentId: null,
  reference: null,
  scheduleId: null,
  find: null,
  from: null,
  to: null
}

/** Where executions of tests want their callbacks sent. */
export const callbackUrl = "https://example.com/hook"

const oldestFirst: Order.Order<Delivery> = Order.mapInput(DateTime.Order, ({ createdAt }) => createdAt)

/** The deliveries that changes of an execution have stored, oldest first. */
export const deliveriesOf = Effect.fnUntraced(function* ({
  accountId,
  id
}: Pick<Execution, "accountId" | "id">) {
  const store = yield* DeliveryStore
  const said = { answer: null, cause: null, origin: null, text: null }
  const any = { states: null, type: null, apiKeyId: null, endpointId: null, ...said, from: null, to: null }
  const { items } = yield* store.list(accountId, { ...any, executionId: id }, { after: null, limit: 100 })
  const deliveries = yield* Effect.forEach(items, (each) => Effect.orDie(store.get(accountId, each.id)))
  // Those of one moment as the list has them, whose newest come first.
  return deliveries
    .map(({ delivery }) => delivery)
    .toReversed()
    .toSorted(oldestFirst)
})

/** The types of an execution's events, oldest first. */
export const eventsOf = (execution: Pick<Execution, "accountId" | "id">) =>
  Effect.map(deliveriesOf(execution), (deliveries) => deliveries.map(({ type }) => type))

/**
 * One execution of each sort, made by the stores. What the planner finds
 * hardest is in them: an account runs two tasks on an agent each, and all runs
 * of one end in errors where all of the other complete, so that most pairs of
 * conditions are common by themselves and never true together.
 */
import type { Execution } from "@runhook/core/executions/Execution"
import type { AgentId, ExecutionId, TaskId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { Outcome } from "@runhook/core/runs/EndMoves"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { acknowledgedAttempt } from "@runhook/core/endpoints/Messages"
import type { WebhookEndpoint } from "@runhook/core/endpoints/WebhookEndpoint"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { finalizeMs, newArtifact } from "@runhook/store-testing/artifacts/ArtifactStoreSuite"
import { makeAgent, makeTask, makeVersion } from "@runhook/store-testing/catalog/CatalogFixtures"
import { attemptOf, claimAll } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { fanOutAll, makeEndpoint } from "@runhook/store-testing/endpoints/EndpointFixtures"
import {
  callbackUrl,
  makeExecution,
  makeTenant,
  newExecution,
  plenty,
  second,
  type Tenant,
  unlimited
} from "@runhook/store-testing/Fixtures"
import { claimUpTo, lease, makeSession, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

export interface Sample {
  readonly id: ExecutionId
  readonly isEnded: boolean
  /** Due in an hour, where others are due at once. */
  readonly isDeferred: boolean
  /** Of the account beside the one that is asked. */
  readonly isNeighbours: boolean
}

export interface Samples {
  readonly executions: ReadonlyArray<Sample>
  /** One of the two accounts. Its agent runs its task, and every run that ends does so in an error. */
  readonly tenant: Tenant
  /** The other agent and task of that account, whose runs complete. */
  readonly otherAgentId: AgentId
  readonly otherTaskId: TaskId
  /** When about half of the copies had been created. */
  readonly middle: DateTime.Utc
  /** Serves both agents. */
  readonly session: RunnerSession
  readonly told: Told
  readonly keyed: Keyed
}

/** An account with endpoints, whose executions have told them. */
export interface Told {
  readonly tenant: Tenant
  readonly session: RunnerSession
  readonly polled: WebhookEndpoint
  /** It is never told anything. */
  readonly quiet: WebhookEndpoint
}

/** An account whose executions wait for the seat of one key, which one of them has. */
export interface Keyed {
  readonly tenant: Tenant
  readonly session: RunnerSession
}

/** The reference of the samples. */
export const sharedReference = "nightly"

const fields = { callbackUrl, reference: sharedReference }

/** An agent may hold what the statements of the tests claim, and not much more. */
const capacity = 60

/** What the executions of a key share. */
export const sharing = { concurrency: { key: "customer 42", limit: 1, policy: "queue" } } as const

export const makeSamples = Effect.gen(function* () {
  const { executions: ofTold, ...told } = yield* makeTold
  const { executions: ofKey, ...keyed } = yield* makeKeyed
  const { executions: ofNeighbour } = yield* makeSamplesOfAccount(true)
  const ofAccount = yield* makeSamplesOfAccount(false)
  const executions = [...ofTold, ...ofKey, ...ofNeighbour, ...ofAccount.executions]
  const samples: Samples = { ...ofAccount, executions, told, keyed }
  return samples
})

const makeTold = Effect.gen(function* () {
  const endpoints = yield* EndpointStore
  const deliveries = yield* DeliveryStore
  const tenant = yield* makeTenant({ capacity })
  const { accountId } = tenant
  const session = yield* makeSession(tenant, { capacity })
  const polled = yield* makeEndpoint(accountId, { kind: "poll" })
  yield* makeEndpoint(accountId)
  const createdAt = yield* DateTime.now
  const quiet = yield* makeEndpoint(accountId, { kind: "poll", taskIds: [] })
  const ended = yield* makeEnded(tenant, session, { _tag: "Completed", result: null }, { createdAt })
  yield* fanOutAll
  yield* deliverAll(tenant)
  const { messages } = yield* endpoints.fetch(polled, { at: second(0), limit: 100, bytesMax: plenty })
  yield* deliveries.settle(
    messages.map((delivery) => ({
      accountId,
      attempt: acknowledgedAttempt(delivery, second(0)),
      verdict: { _tag: "Delivered" }
    })),
    second(0)
  )
  const waiting = { id: (yield* makeExecution(tenant, { createdAt })).id, isEnded: false, isDeferred: false }
  yield* fanOutAll
  const executions = [ended, waiting].map((sample) => ({ ...sample, isNeighbours: true }))
  return { tenant, session, polled, quiet, executions }
})

const makeKeyed = Effect.gen(function* () {
  const sweeps = yield* SweepStore
  const tenant = yield* makeTenant({ capacity })
  const session = yield* makeSession(tenant, { capacity })
  const createdAt = DateTime.subtract(yield* DateTime.now, { seconds: 1 })
  yield* makeExecution(tenant, { ...sharing, createdAt })
  const waiting = yield* makeExecution(tenant, {
    ...sharing,
    createdAt: DateTime.add(createdAt, { milliseconds: 1 })
  })
  yield* sweeps.giveSeats({ at: second(1), limit: 10 })
  const deferred = yield* makeExecution(tenant, { ...sharing, scheduledAt: second(3_600) })
  const executions = [waiting, deferred].map(({ id }) => ({
    id,
    isEnded: false,
    isDeferred: id === deferred.id,
    isNeighbours: false
  }))
  return { tenant, session, executions }
})

const makeSamplesOfAccount = Effect.fnUntraced(function* (isNeighbours: boolean) {
  const tenant = yield* makeTenant({ capacity })
  const task = yield* makeTask(tenant.accountId)
  const other: Tenant = {
    ...tenant,
    taskId: task.id,
    taskVersionId: (yield* makeVersion(task)).id,
    agentId: (yield* makeAgent(tenant.accountId, { capacity })).id
  }
  const session = yield* makeSession(tenant, { capacity: 2 * capacity })
  const ended = [
    yield* makeEnded(tenant, session, { _tag: "Failed", message: "Broken", isRetryable: false }),
    yield* makeEnded(other, session, { _tag: "Completed", result: StoredJson.of({ pages: 7 }) })
  ]
  yield* deliverAll(tenant)
  const waiting = yield* Effect.forEach([tenant, other], waitingOf)
  return {
    executions: [...ended, ...waiting.flat()].map((sample) => ({ ...sample, isNeighbours })),
    tenant,
    otherAgentId: other.agentId,
    otherTaskId: other.taskId,
    session,
    middle: DateTime.subtract(yield* DateTime.now, { minutes: 57 })
  }
})

const makeEnded = Effect.fnUntraced(function* (
  tenant: Tenant,
  session: RunnerSession,
  outcome: Outcome,
  asked: Partial<Execution> = fields
) {
  const runs = yield* RunStore
  const artifacts = yield* ArtifactStore
  const { id } = yield* makeExecution(tenant, asked)
  const { claims } = yield* claimUpTo(session, { limit: 1, at: second(0) })
  for (const { run } of claims) {
    const started = yield* runs.start({ ...writeTo(run, second(0)), lease })
    yield* artifacts.register({
      artifact: yield* newArtifact(run),
      finalizeMs,
      quotaBytes: null,
      at: second(0)
    })
    yield* runs.finish({ ...writeTo(started.run, second(0)), outcome, fingerprint: "f".repeat(64) })
  }
  return { id, isEnded: true, isDeferred: false }
})

/** What is due arrives, with one or with two attempts: they are kept in different tables. */
const deliverAll = Effect.fnUntraced(function* (tenant: Tenant) {
  yield* attemptAll(tenant, (place) => place > 0)
  yield* attemptAll(tenant, () => true)
})

const attemptAll = Effect.fnUntraced(function* (tenant: Tenant, arrives: (place: number) => boolean) {
  const deliveries = yield* DeliveryStore
  const { accountId } = tenant
  const claimed = yield* claimAll(tenant, { at: second(0) })
  yield* deliveries.settle(
    claimed.map((delivery, place) => ({
      accountId,
      attempt: attemptOf(delivery, arrives(place) ? { status: 200, error: null } : {}),
      verdict: arrives(place) ? { _tag: "Delivered" } : { _tag: "Retry", nextAttemptAt: second(0) }
    })),
    second(0)
  )
})

const waitingOf = Effect.fnUntraced(function* (tenant: Tenant) {
  const executions = yield* ExecutionStore
  const execution = yield* newExecution(tenant, fields)
  const idempotency = {
    key: `key-${execution.id}`,
    fingerprint: "same",
    expiresAt: DateTime.add(second(0), { days: 7 })
  }
  yield* executions.create({ ...unlimited, execution, idempotency })
  const deferred = yield* makeExecution(tenant, { ...fields, scheduledAt: second(3_600) })
  return [
    { id: execution.id, isEnded: false, isDeferred: false },
    { id: deferred.id, isEnded: false, isDeferred: true }
  ]
})

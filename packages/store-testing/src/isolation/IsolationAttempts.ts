/** All that may be tried with the ids of an account in another's name. */
import { allDead } from "@runhook/core/replays/ReplayJob"
import { previewBounds } from "@runhook/core/replays/ReplayPreview"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { Run } from "@runhook/core/runs/Run"
import { AgentStore } from "@runhook/core/catalog/AgentStore"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { CancelStore } from "@runhook/core/cancels/CancelStore"
import { ReplayStore } from "@runhook/core/replays/ReplayStore"
import { RunnerKeyStore } from "@runhook/core/keys/RunnerKeyStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { TaskStore } from "@runhook/core/catalog/TaskStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { finalizeMs, newArtifact } from "../artifacts/ArtifactStoreSuite.ts"
import { newSigningSecret, newVersion } from "../catalog/CatalogFixtures.ts"
import { anyDelivery, attemptOf } from "../deliveries/DeliveryFixtures.ts"
import { anyExecution, second } from "../Fixtures.ts"
import { lease, makeSession, newQuestion, startDeadline, writeTo } from "../runs/RunFixtures.ts"
import { ofHistory } from "./HistoryAttempts.ts"
import type { Attempt } from "./IsolationFixtures.ts"
import { ofOversight } from "./OversightAttempts.ts"
import { ofPeople } from "./PeopleAttempts.ts"

const at = second(5)
const page = { after: null, limit: 100 }

/** A write of the right epoch. */
const writeAs = (accountId: AccountId, run: Run) => ({ ...writeTo(run, at), accountId })

const ofExecutions: Readonly<Record<string, Attempt>> = {
  "get an execution": ({ run, stranger }) => ExecutionStore.use((_) => _.get(stranger, run.execution.id)),
  "list executions": ({ stranger }) => ExecutionStore.use((_) => _.list(stranger, anyExecution, page)),
  "list executions by status": ({ stranger }) =>
    ExecutionStore.use((_) => _.list(stranger, { ...anyExecution, statuses: ["awaiting_input"] }, page)),
  "list executions by agent": ({ stranger, tenant: { agentId } }) =>
    ExecutionStore.use((_) => _.list(stranger, { ...anyExecution, agentId }, page)),
  "list executions by task": ({ stranger, tenant: { taskId } }) =>
    ExecutionStore.use((_) => _.list(stranger, { ...anyExecution, taskId }, page)),
  "list executions by reference": ({ run, stranger }) =>
    ExecutionStore.use((_) =>
      _.list(stranger, { ...anyExecution, reference: run.execution.reference }, page)
    ),
  "list questions": ({ run, stranger }) => ExecutionStore.use((_) => _.inputs(stranger, run.execution.id)),
  stop: ({ run, stranger }) =>
    ExecutionStore.use((_) =>
      _.stop({ accountId: stranger, id: run.execution.id, to: "aborted", reason: null, at })
    ),
  remove: ({ run, stranger }) =>
    ExecutionStore.use((_) => _.remove({ accountId: stranger, id: run.execution.id })),
  release: ({ run, stranger }) =>
    ExecutionStore.use((_) => _.release({ accountId: stranger, id: run.execution.id, at })),
  answer: ({ input, run, stranger }) =>
    ExecutionStore.use((_) =>
      _.answer({ accountId: stranger, id: run.execution.id, inputId: input.id, value: "42", at })
    )
}

const ofRunners: Readonly<Record<string, Attempt>> = {
  "get a run": ({ run, stranger }) =>
    RunStore.use((_) => _.get({ accountId: stranger, id: run.execution.id })),
  "get a session": ({ session: { id, runnerKeyId }, stranger }) =>
    RunStore.use((_) => _.getSession({ accountId: stranger, runnerKeyId, id })),
  "close a session": ({ session: { id }, stranger }) =>
    RunStore.use((_) => _.closeSession({ accountId: stranger, id, at })),
  claim: ({ run, stranger, tenant }) =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const session = yield* makeSession({ ...tenant, accountId: stranger }, { agentIds: [tenant.agentId] })
      const claimId = run.lease?.claimId ?? ""
      return (yield* store.claim({ session, claimId, limit: 10, startDeadline, at })).claims
    }),
  beat: ({ run, session, stranger }) =>
    RunStore.use((_) =>
      _.beat({
        session: { ...session, accountId: stranger },
        isDraining: false,
        inFlight: [{ executionId: run.execution.id, epoch: run.execution.epoch }],
        lease,
        at
      })
    ),
  start: ({ run, stranger }) => RunStore.use((_) => _.start({ ...writeAs(stranger, run), lease })),
  finish: ({ run, stranger }) =>
    RunStore.use((_) =>
      _.finish({
        ...writeAs(stranger, run),
        outcome: { _tag: "Completed", result: null },
        fingerprint: "one"
      })
    ),
  "give back": ({ run, stranger }) =>
    RunStore.use((_) => _.giveBack({ ...writeAs(stranger, run), delay: Duration.zero })),
  ask: ({ run, stranger }) =>
    Effect.gen(function* () {
      const store = yield* RunStore
      return yield* store.ask({ ...writeAs(stranger, run), input: yield* newQuestion(at, { key: "other" }) })
    })
}

const ofArtifacts: Readonly<Record<string, Attempt>> = {
  "register an artifact": ({ run, stranger }) =>
    Effect.gen(function* () {
      const store = yield* ArtifactStore
      const artifact = yield* newArtifact(run, { accountId: stranger, fileName: "other.pdf" })
      return yield* store.register({ artifact, finalizeMs, quotaBytes: null, at })
    }),
  "find an artifact": ({ artifactId, run, stranger }) =>
    ArtifactStore.use((_) => _.find({ accountId: stranger, executionId: run.execution.id, id: artifactId })),
  "show an artifact": ({ artifactId, run: { execution }, stranger }) =>
    ArtifactStore.use((_) =>
      _.markReady({
        accountId: stranger,
        executionId: execution.id,
        id: artifactId,
        epoch: execution.epoch,
        finalizeMs,
        at
      })
    ),
  "list artifacts": ({ run, stranger }) => ArtifactStore.use((_) => _.listReady(stranger, run.execution.id))
}

const ofDeliveries: Readonly<Record<string, Attempt>> = {
  "get a delivery": ({ delivery, stranger }) => DeliveryStore.use((_) => _.get(stranger, delivery.id)),
  "list deliveries": ({ stranger }) => DeliveryStore.use((_) => _.list(stranger, anyDelivery, page)),
  "list deliveries of an execution": ({ delivery: { executionId }, stranger }) =>
    DeliveryStore.use((_) => _.list(stranger, { ...anyDelivery, executionId }, page)),
  "list deliveries of a key": ({ delivery: { apiKeyId }, stranger }) =>
    DeliveryStore.use((_) => _.list(stranger, { ...anyDelivery, apiKeyId }, page)),
  "list deliveries by state": ({ stranger }) =>
    DeliveryStore.use((_) => _.list(stranger, { ...anyDelivery, states: ["pending"] }, page)),
  "search a delivery": ({ delivery: { id }, stranger }) =>
    DeliveryStore.use((_) => _.list(stranger, { ...anyDelivery, text: id }, page)),
  "tell what a delivery waits for": ({ delivery, stranger }) =>
    DeliveryStore.use((_) => _.waits({ accountId: stranger, ids: [delivery.id], at })),
  "send a delivery again": ({ delivery, stranger }) =>
    DeliveryStore.use((_) => _.replay({ accountId: stranger, id: delivery.id, at })),
  "try a delivery now": ({ delivery, stranger }) =>
    DeliveryStore.use((_) => _.tryNow({ accountId: stranger, id: delivery.id, at })),
  "settle a delivery": ({ delivery, stranger }) => {
    const attempt = attemptOf(delivery, { status: 200, error: null })
    return DeliveryStore.use((_) =>
      Effect.asVoid(_.settle([{ accountId: stranger, attempt, verdict: { _tag: "Delivered" } }], at))
    )
  },
  "tell what a replay would do": ({ delivery: { id }, stranger }) =>
    Effect.gen(function* () {
      const store = yield* ReplayStore
      const filter = { ...allDead, states: ["dead", "delivered", "cancelled"], ids: [id] } as const
      return (yield* store.preview({ accountId: stranger, filter, bounds: previewBounds })).origins
    }),
  "tell what a job would cancel": ({ cancelJob, stranger }) =>
    Effect.map(
      CancelStore.use((_) => _.count({ job: { ...cancelJob, accountId: stranger }, seenMax: 9 })),
      (count) => Array.from({ length: count ?? 9 })
    ),
  "get a job": ({ cancelJob: { id }, stranger }) =>
    CancelStore.use((_) => _.get({ accountId: stranger, apiKeyId: null, id })),
  "cancel a job": ({ cancelJob: { id }, stranger }) =>
    CancelStore.use((_) => _.cancel({ accountId: stranger, apiKeyId: null, id }, at)),
  "list replays": ({ stranger }) =>
    ReplayStore.use((_) => _.list({ accountId: stranger, apiKeyId: null }, page)),
  "get a replay": ({ job: { id }, stranger }) =>
    ReplayStore.use((_) => _.get({ accountId: stranger, apiKeyId: null, id })),
  "cancel a replay": ({ job: { id }, stranger }) =>
    ReplayStore.use((_) => _.cancel({ accountId: stranger, apiKeyId: null, id }, at))
}

const ofKeys: Readonly<Record<string, Attempt>> = {
  "get a key": ({ stranger, tenant }) => ApiKeyStore.use((_) => _.get(stranger, tenant.apiKeyId)),
  "list keys": ({ stranger }) => ApiKeyStore.use((_) => _.list(stranger, page)),
  "change a key": ({ stranger, tenant }) =>
    ApiKeyStore.use((_) =>
      _.update({ accountId: stranger, id: tenant.apiKeyId, change: { name: "Mine" }, at })
    ),
  "revoke a key": ({ stranger, tenant }) =>
    ApiKeyStore.use((_) => _.revoke({ accountId: stranger, id: tenant.apiKeyId, at })),
  "rotate a key": ({ stranger, tenant }) =>
    ApiKeyStore.use((_) =>
      _.rotate({
        accountId: stranger,
        id: tenant.apiKeyId,
        secretHash: "mine",
        previousExpiresAt: at,
        at
      })
    ),
  "rotate a signing secret": ({ stranger, tenant }) =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const secret = yield* newSigningSecret(tenant.apiKeyId)
      return yield* store.rotateSigningSecret({
        accountId: stranger,
        id: tenant.apiKeyId,
        secret,
        previousExpiresAt: at
      })
    }),
  "read signing secrets": ({ stranger, tenant }) =>
    ApiKeyStore.use((_) => _.signingSecrets({ accountId: stranger, id: tenant.apiKeyId, at })),
  "list runner keys": ({ stranger }) => RunnerKeyStore.use((_) => _.list(stranger, page)),
  "revoke a runner key": ({ stranger, tenant }) =>
    RunnerKeyStore.use((_) => _.revoke({ accountId: stranger, id: tenant.runnerKeyId, at }))
}

const ofCatalog: Readonly<Record<string, Attempt>> = {
  "find an agent": ({ stranger, tenant }) => AgentStore.use((_) => _.find(stranger, tenant.agentId)),
  "get an agent": ({ stranger, tenant }) =>
    AgentStore.use((_) => _.get({ accountId: stranger, id: tenant.agentId, at })),
  "list agents": ({ stranger }) =>
    AgentStore.use((_) => _.list({ accountId: stranger, ids: null, at }, page)),
  "list agents by id": ({ stranger, tenant }) =>
    AgentStore.use((_) => _.list({ accountId: stranger, ids: [tenant.agentId], at }, page)),
  "change an agent": ({ stranger, tenant }) =>
    AgentStore.use((_) =>
      _.update({ accountId: stranger, id: tenant.agentId, change: { name: "Mine" }, at })
    ),
  "remove an agent": ({ stranger, tenant }) =>
    AgentStore.use((_) => _.remove({ accountId: stranger, id: tenant.agentId })),
  "get a task": ({ stranger, tenant }) => TaskStore.use((_) => _.get(stranger, tenant.taskId)),
  "change a task": ({ stranger, tenant }) =>
    TaskStore.use((_) => _.update({ accountId: stranger, id: tenant.taskId, change: { name: "Mine" }, at })),
  "publish a version": ({ stranger, tenant }) =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const version = yield* newVersion({ id: tenant.taskId, accountId: stranger })
      return yield* store.publish({ version, tags: [], makeCurrent: true })
    }),
  "list versions": ({ stranger, tenant }) =>
    TaskStore.use((_) => _.versions({ accountId: stranger, taskId: tenant.taskId }, page)),
  "resolve a version": ({ stranger, tenant }) =>
    TaskStore.use((_) => _.resolveVersion({ accountId: stranger, versionId: tenant.taskVersionId })),
  "move a tag": ({ stranger, tenant: { taskId, taskVersionId: versionId } }) =>
    TaskStore.use((_) => _.moveTag({ accountId: stranger, taskId, name: "mine", versionId, at })),
  "make a version current": ({ stranger, tenant: { taskId, taskVersionId: versionId } }) =>
    TaskStore.use((_) => _.setCurrent({ accountId: stranger, taskId, versionId, at }))
}

/** Everything an account may do to what it knows the id of, or to what it lists. */
export const attempts: Readonly<Record<string, Attempt>> = {
  ...ofExecutions,
  ...ofRunners,
  ...ofArtifacts,
  ...ofDeliveries,
  ...ofKeys,
  ...ofCatalog,
  ...ofHistory,
  ...ofOversight,
  ...ofPeople
}

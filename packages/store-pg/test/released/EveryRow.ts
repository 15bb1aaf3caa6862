/** Rows of every kind, as the stores of this release leave them: what a release adds to the fixtures of all that come after. */
import { executionStopped } from "@runhook/core/audit/ActivityEvents"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { AlertStore } from "@runhook/core/alerts/AlertStore"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { EvidenceKeyStore } from "@runhook/core/evidence/EvidenceKeyStore"
import { PepperStore } from "@runhook/core/keys/sealing/PepperStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { makeAlert, makeTarget } from "@runhook/store-testing/alerts/AlertFixtures"
import { finalizeMs, newArtifact } from "@runhook/store-testing/artifacts/ArtifactStoreSuite"
import { finalizedFor } from "@runhook/store-testing/artifacts/UploadPruneSuite"
import { by, jana } from "@runhook/store-testing/audit/AuditFixtures"
import { finish as finishCancel, makeCancelJob } from "@runhook/store-testing/cancels/CancelFixtures"
import { makeVersion, newSigningSecret } from "@runhook/store-testing/catalog/CatalogFixtures"
import { makeLink, makeSession as makeConsoleSession } from "@runhook/store-testing/people/PeopleFixtures"
import { attemptOf, claimAll, makeDelivery } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { fanOutAll, makeEndpoint } from "@runhook/store-testing/endpoints/EndpointFixtures"
import {
  callbackUrl,
  makeExecution,
  makeTenant,
  newExecution,
  second,
  type Tenant,
  unlimited
} from "@runhook/store-testing/Fixtures"
import {
  deadDeliveries,
  finish,
  makeDeliveredDelivery,
  makeJob
} from "@runhook/store-testing/replays/ReplayFixtures"
import { makeAskingRun, makeStartedRun, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import { fireOnce, makeSchedule } from "@runhook/store-testing/schedules/ScheduleFixtures"
import { addAll, makeSum, makeUse } from "@runhook/store-testing/usage/UsageFixtures"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The key under which something waits, and the fingerprint of its request. */
export const idempotency = { key: "order-7", fingerprint: "1:aa", expiresAt: second(1_000_000) }

const completed = { _tag: "Completed", result: StoredJson.of({ pages: 2 }) } as const
const failed = { _tag: "Failed", message: "no such page", isRetryable: false } as const

/** One of each status, with what belongs to it. Those that wait come last, since every claim takes all that is due. */
const makeExecutions = Effect.fnUntraced(function* (tenant: Tenant) {
  const sql = yield* SqlClient
  const runs = yield* RunStore
  const executions = yield* ExecutionStore
  const artifacts = yield* ArtifactStore
  const sweeps = yield* SweepStore
  const started = (fields = {}) => makeStartedRun(tenant, { callbackUrl, ...fields })
  const outcomes = [completed, failed, { _tag: "Cancelled", reason: "not needed" }] as const
  for (const outcome of outcomes) {
    const { run } = yield* started()
    yield* runs.finish({ ...writeTo(run, second(5)), outcome, fingerprint: "1:aa" })
  }
  const { run: aborted } = yield* started()
  yield* artifacts.register({
    artifact: yield* newArtifact(aborted),
    finalizeMs,
    quotaBytes: null,
    at: second(3)
  })
  const { accountId, id } = aborted.execution
  const audit = by(jana, executionStopped)
  yield* executions.stop({ accountId, id, to: "aborted", reason: "by hand", at: second(5), audit })
  yield* sweeps.prune("uploads", { at: second(100_000), limit: 9, retention: finalizedFor(finalizeMs) })

  yield* makeAskingRun(tenant)
  const { run, session } = yield* started({ maxAttempts: 3, timeoutSeconds: 3_600 })
  yield* artifacts.register({
    artifact: yield* newArtifact(run),
    finalizeMs,
    quotaBytes: null,
    at: second(3)
  })
  const report = {
    executionId: run.execution.id,
    epoch: run.execution.epoch,
    percent: 12.5,
    message: "two",
    step: null
  }
  yield* HistoryStore.use((history) =>
    history.report({ accountId: tenant.accountId, sessionId: session.id, reports: [report], at: second(3) })
  )
  yield* HistoryStore.use((history) =>
    history.log({
      accountId: tenant.accountId,
      sessionId: session.id,
      said: [
        {
          executionId: run.execution.id,
          epoch: run.execution.epoch,
          lines: [
            { level: "info", message: "Signed in", ageMillis: 250, number: 1 },
            { level: "warn", message: "Slow", ageMillis: 0, number: null }
          ]
        }
      ],
      at: second(3)
    })
  )
  yield* RunStore.use((store) =>
    store.keepCheckpoint({ ...writeTo(run, second(3)), checkpoint: StoredJson.of({ page: 7 }) })
  )
  yield* makeExecution(tenant, { status: "pending", expiresAt: second(9_000) })
  yield* makeExecution(tenant, { scheduledAt: second(3_600) })
  const concurrency = { key: "customer 42", limit: 1, policy: "queue" } as const
  yield* makeExecution(tenant, { concurrency })
  yield* makeExecution(tenant, { concurrency, createdAt: second(1) })
  yield* sweeps.giveSeats({ at: second(4), limit: 9 })
  yield* makeExecution(tenant, { callbackUrl, reference: "wrong" })
  const { apiKeyId } = tenant
  const filter = { reference: "wrong", from: second(0) }
  yield* finishCancel(
    yield* makeCancelJob(tenant, filter, {
      apiKeyId,
      actor: jana,
      idempotencyKey: "night",
      reason: "wrong",
      matched: 1
    })
  )
  const execution = yield* newExecution(tenant, {
    callbackUrl,
    reference: "order-7",
    sealedParams: "v1.0000000000000000.sealed"
  })
  yield* executions.create({ ...unlimited, execution, idempotency })
  // As an end leaves it that meets a create.
  yield* sql`
    INSERT INTO live_releases (bucket, account_id, execution_id, api_key_id)
    SELECT bucket, account_id, id, api_key_id FROM executions WHERE id = ${id}`
})

const makeDeliveries = Effect.fnUntraced(function* (tenant: Tenant) {
  const store = yield* DeliveryStore
  const { accountId } = tenant
  yield* makeDeliveredDelivery(tenant)
  yield* deadDeliveries(tenant, [2, 3])
  const job = yield* makeJob(tenant)
  yield* finish(job)
  const replayed = yield* claimAll(tenant, { at: second(200) })
  const [delivered, ...dead] = replayed
  yield* store.settle(
    [
      ...(delivered === undefined ? [] : [delivered]).map((each) => ({
        accountId,
        attempt: attemptOf(each, { status: 200, error: null }),
        verdict: { _tag: "Delivered" } as const
      })),
      ...dead.map((each) => ({ accountId, attempt: attemptOf(each), verdict: { _tag: "Dead" } as const }))
    ],
    second(201)
  )
  const { id } = yield* makeDelivery(tenant, { url: "https://down.example/hook", createdAt: second(400) })
  const failing = (yield* claimAll(tenant, { at: second(400) })).filter((each) => each.id === id)
  yield* store.settle(
    failing.map((each) => ({
      accountId,
      attempt: attemptOf(each),
      verdict: { _tag: "Retry", nextAttemptAt: second(500) },
      move: { _tag: "Open", openings: 1, until: second(450) }
    })),
    second(401)
  )
  yield* makeDelivery(tenant, { createdAt: second(600) })
})

const makePeople = Effect.fnUntraced(function* ({ accountId, apiKeyId, taskId }: Tenant) {
  yield* makeVersion({ id: taskId, accountId }, { tags: ["stable"] })
  const secret = yield* newSigningSecret(apiKeyId)
  yield* ApiKeyStore.use((keys) =>
    keys.rotateSigningSecret({ accountId, id: apiKeyId, secret, previousExpiresAt: second(9_000) })
  )
  yield* PepperStore.use((store) => store.findOrKeep("sealed pepper"))
  yield* EvidenceKeyStore.use((store) => store.keep([{ kid: "a thumbprint", x: "a public key" }]))
  yield* makeLink(accountId)
  yield* makeConsoleSession(accountId)
  const origin = "https://example.com"
  yield* addAll({
    sums: [makeSum(accountId, { requests: 3 })],
    keyUses: [makeUse({ accountId, apiKeyId }, second(1), "203.0.113.9")],
    receivers: [{ accountId, origin, at: second(0), delivered: 3, failed: 1 }],
    lastAttempts: [{ accountId, origin, lastSuccessAt: second(1), lastFailure: null }]
  })
})

const makeEndpoints = Effect.fnUntraced(function* (tenant: Tenant) {
  const { accountId, apiKeyId } = tenant
  const bounds = { apiKeyId, eventTypes: ["execution.queued"], taskIds: [tenant.taskId] } as const
  yield* makeEndpoint(accountId, {
    ...bounds,
    previousCiphertext: "before",
    previousExpiresAt: second(9_000)
  })
  const polled = yield* makeEndpoint(accountId, { kind: "poll", removeAfterSeconds: 90 })
  yield* makeExecution(tenant, { createdAt: second(700) })
  yield* fanOutAll
  yield* makeExecution(tenant, { createdAt: second(700) })
  yield* EndpointStore.use((store) => store.fetch(polled, { at: second(701), limit: 1, bytesMax: 1_000 }))
})

const makeAlerts = Effect.fnUntraced(function* ({ accountId }: Tenant) {
  yield* makeTarget({ accountId, lastSentAt: second(5), told: { "an alert": { opened: 1, at: 2 } } })
  const store = yield* AlertStore
  const turn = yield* store.takeTurn({ at: second(0), until: second(50) })
  yield* store.replaceAlerts({ turn: turn ?? 0, alerts: [makeAlert(accountId, { missedAt: second(1) })] })
  yield* store.useAllowances([{ subject: "of everybody", max: 3 }], second(0))
})

/** One that has created an execution, and one that was refused. */
const makeSchedules = Effect.fnUntraced(function* (tenant: Tenant) {
  yield* fireOnce(tenant, yield* makeSchedule(tenant))
  yield* makeSchedule(tenant, {
    cron: "30 2 * * *",
    timeZone: "Europe/Berlin",
    everySeconds: null,
    lastAt: second(1),
    lastOutcome: "refused",
    lastError: { _tag: "AgentDisabled", id: tenant.agentId }
  })
})

/** An account that has used everything. */
export const makeEveryRow = Effect.gen(function* () {
  const tenant = yield* makeTenant({ capacity: 20 })
  yield* makePeople(tenant)
  yield* makeSchedules(tenant)
  yield* makeExecutions(tenant)
  yield* makeDeliveries(tenant)
  yield* makeAlerts(tenant)
  // Of another: a create strikes off the ends of its account.
  yield* makeEndpoints(yield* makeTenant())
})

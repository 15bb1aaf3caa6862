import { assert, describe, it } from "@effect/vitest"
import type { Execution } from "@runhook/core/executions/Execution"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { type AccountId, DispatcherId, newId } from "@runhook/core/shared/Ids"
import { AlertStore } from "@runhook/core/alerts/AlertStore"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { absenceIn } from "@runhook/core/engine/StoreUnavailable"
import { SealedValues } from "@runhook/core/keys/sealing/SealedValues"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { UsageStore } from "@runhook/core/usage/UsageStore"
import { finalizeMs, newArtifact } from "@runhook/store-testing/artifacts/ArtifactStoreSuite"
import { makeSender } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { makeEndpoint } from "@runhook/store-testing/endpoints/EndpointFixtures"
import {
  callbackUrl,
  makeExecution,
  makeTenant,
  newExecution,
  second,
  type Stores,
  type Tenant,
  unlimited
} from "@runhook/store-testing/Fixtures"
import { makeCancelJob } from "@runhook/store-testing/cancels/CancelFixtures"
import { makeSchedule } from "@runhook/store-testing/schedules/ScheduleFixtures"
import { claimUpTo, lease, makeSession, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { queueMany } from "../deliveries/queue/Queued.ts"
import { withLosableNode } from "./LosableNode.ts"

const oldKeyInEachBucket = `
  INSERT INTO idempotency_keys (bucket, api_key_id, key, fingerprint, execution_id, created_at, expires_at)
  SELECT bucket, gen_random_uuid(), 'key', 'fingerprint', gen_random_uuid(), '2020-01-01', '2020-01-02'
  FROM generate_series(0, 255) AS bucket`

describe("A node of Citus that is away", () => {
  it.live("keeps nobody from looking for what is due on the others", () =>
    withLosableNode(({ ask, lose }) =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const deliveries = yield* DeliveryStore
        const dispatcher = yield* newId(DispatcherId)
        const at = yield* DateTime.now
        const round = { at, limit: 1_000 }
        yield* ask(oldKeyInEachBucket)
        yield* Effect.forEach(Array.range(1, 12), () =>
          Effect.flatMap(makeSender(), (sender) => queueMany(sender, { count: 1, url: callbackUrl }))
        )
        const elsewhere = yield* lose

        const nextDueAt = yield* sweeps.nextDueAt(at)
        const { pruned } = yield* sweeps.prune("expired", round)
        const found = yield* Effect.all({
          leases: sweeps.expireLeases(round),
          attempts: sweeps.timeOutRuns(round),
          inputs: sweeps.expireInputs(round),
          waiting: sweeps.expireExecutions(round),
          claimed: deliveries.claimDue({ dispatcher, room: roomFor(100), lease: Duration.minutes(1), at }),
          takenBack: deliveries.takeBack({ from: { _tag: "AllBut", dispatcher }, at })
        })

        assert.isTrue(nextDueAt !== null && DateTime.isLessThan(nextDueAt, at))
        assert.isTrue(pruned > 0 && pruned < 256)
        const { claimed, ...swept } = found
        assert.isNotEmpty(elsewhere)
        assert.sameMembers(
          claimed.deliveries.map(({ delivery }) => delivery.accountId),
          elsewhere
        )
        assert.deepStrictEqual(swept, {
          leases: [],
          attempts: [],
          inputs: [],
          waiting: [],
          takenBack: 0
        })
      })
    )
  )

  it.live(
    "keeps no work of the others from being created, claimed, started and finished, with progress, artifacts and counts",
    () =>
      withLosableNode(({ lose }) =>
        Effect.gen(function* () {
          const executions = yield* ExecutionStore
          const runs = yield* RunStore
          const history = yield* HistoryStore
          const artifacts = yield* ArtifactStore
          const usage = yield* UsageStore
          const at = yield* DateTime.now
          const sessions = yield* Effect.forEach(Array.range(1, 12), () =>
            Effect.gen(function* () {
              const tenant = yield* makeTenant()
              return { tenant, session: yield* makeSession(tenant) }
            })
          )
          const elsewhere = yield* lose

          const ended = yield* Effect.forEach(
            sessions,
            ({ session, tenant }) =>
              Effect.gen(function* () {
                const execution = yield* newExecution(tenant, { createdAt: at, callbackUrl })
                const idempotency = { key: execution.id, fingerprint: "same", expiresAt: second(900) }
                yield* executions.create({ ...unlimited, execution, idempotency })
                const { claims } = yield* claimUpTo(session, { limit: 1, at })
                const { run } = yield* Effect.fromNullishOr(claims[0])
                const started = yield* runs.start({ ...writeTo(run, at), lease })
                const { accountId, epoch, id: executionId } = started.run.execution
                const report = { executionId, epoch, percent: 7, message: null, step: null }
                yield* history.report({ accountId, sessionId: session.id, reports: [report], at })
                const artifact = yield* newArtifact(started.run)
                yield* artifacts.register({ artifact, finalizeMs, quotaBytes: null, at })
                yield* artifacts.markReady({ ...artifact, finalizeMs, at })
                const finished = yield* runs.finish({
                  ...writeTo(started.run, at),
                  outcome: { _tag: "Completed", result: StoredJson.of({ sum: 3 }) },
                  fingerprint: "f".repeat(64)
                })
                return [finished.run.execution.accountId]
              }).pipe(Effect.catchCause(() => Effect.succeed([]))),
            { concurrency: "unbounded" }
          )

          const uses = sessions.map(({ tenant }) => ({ ...tenant, at, from: null }))
          const unadded = yield* usage.add({ sums: [], keyUses: uses, receivers: [], lastAttempts: [] })

          assert.isNotEmpty(elsewhere)
          assert.sameMembers(ended.flat(), elsewhere)
          const added = uses.filter(({ accountId }) => !unadded.has(accountId))
          assert.sameMembers(
            added.map(({ accountId }) => accountId),
            elsewhere
          )
        })
      )
  )

  it.live(
    "keeps no wait of the others from being looked after, and no endpoint of theirs from being told",
    () =>
      withLosableNode(({ lose }) =>
        Effect.gen(function* () {
          const endpoints = yield* EndpointStore
          const history = yield* HistoryStore
          const at = yield* DateTime.now
          const made = yield* Effect.forEach(Array.range(1, 12), () =>
            Effect.gen(function* () {
              const tenant = yield* makeTenant()
              const mailbox = yield* makeEndpoint(tenant.accountId, { kind: "poll" })
              const quiet = yield* makeEndpoint(tenant.accountId, { kind: "poll", taskIds: [] })
              const execution = yield* makeExecution(tenant, { createdAt: at })
              return { ...tenant, execution, mailboxes: [mailbox, quiet] }
            })
          )
          const elsewhere = yield* lose
          const isElsewhere = ({ accountId }: { readonly accountId: AccountId }) =>
            elsewhere.includes(accountId)

          const { events } = yield* endpoints.fanOut({ at: yield* DateTime.now, limit: 1_000 })
          const after = (of: (typeof made)[number], revision: number) => ({
            ...of.execution,
            after: revision
          })
          const changed = yield* history.changedSince(made.map((each) => after(each, 0)))
          const unchanged = yield* history.changedSince(made.map((each) => after(each, 1)))
          const mailboxes = made.flatMap((each) => each.mailboxes)
          const fetchable = yield* endpoints.changed(mailboxes, yield* DateTime.now)

          assert.isNotEmpty(elsewhere)
          assert.sameMembers(
            events.map(({ accountId }) => accountId),
            elsewhere
          )
          const idsOf = (some: ReadonlyArray<{ readonly execution: Execution }>) =>
            some.map(({ execution }) => execution.id)
          assert.sameMembers([...changed], idsOf(made))
          // Whoever reads those of the lost node is told why that cannot be.
          const unread = made.filter((each) => !isElsewhere(each))
          assert.sameMembers([...unchanged], idsOf(unread))
          assert.sameMembers(
            [...fetchable],
            mailboxes.flatMap((mailbox, place) =>
              place % 2 === 0 || !isElsewhere(mailbox) ? [mailbox.id] : []
            )
          )
        })
      )
  )

  it.live("keeps no session of the others from being opened, and nothing of theirs from being made", () =>
    withLosableNode(({ lose }) =>
      Effect.gen(function* () {
        const tenants = yield* Effect.replicateEffect(makeTenant(), 12)
        const elsewhere = yield* lose
        const makes: ReadonlyArray<(tenant: Tenant) => Effect.Effect<unknown, unknown, Stores>> = [
          makeSession,
          ({ accountId }) => makeEndpoint(accountId),
          makeSchedule,
          (tenant) => makeCancelJob(tenant)
        ]

        const made = yield* Effect.forEach(makes, (make) =>
          Effect.forEach(tenants, (tenant) =>
            Effect.map(Effect.exit(make(tenant)), (exit) => (Exit.isSuccess(exit) ? [tenant.accountId] : []))
          )
        )

        assert.isNotEmpty(elsewhere)
        assert.deepStrictEqual(
          made.map((accounts) => accounts.flat().toSorted()),
          makes.map(() => elsewhere.toSorted())
        )
      })
    )
  )

  it.live("is said to be away by what answers for all accounts, or leaves its part for later", () =>
    withLosableNode(({ bringBack, lose }) =>
      Effect.gen(function* () {
        const alerts = yield* AlertStore
        const deliveries = yield* DeliveryStore
        const sealed = yield* SealedValues
        const usage = yield* UsageStore
        const at = yield* DateTime.now
        const dispatcher = yield* newId(DispatcherId)
        const from = { _tag: "One", dispatcher } as const
        yield* Effect.forEach(Array.range(1, 12), () =>
          Effect.flatMap(makeSender(), (sender) => queueMany(sender, { count: 1, url: callbackUrl }))
        )
        yield* deliveries.beat(dispatcher)
        yield* deliveries.claimDue({ dispatcher, room: roomFor(100), lease: Duration.minutes(1), at })
        const elsewhere = yield* lose

        const reads: ReadonlyArray<Effect.Effect<unknown>> = [
          usage.serviceStanding({ at, agents: 100 }),
          sealed.sealedOtherwise({ kind: "endpoint", prefix: "sealed", after: null, limit: 100 }),
          sealed.sealedOtherwise({ kind: "params", prefix: "sealed", after: null, limit: 100 })
        ]
        const refusals = yield* Effect.forEach(reads, (read) => Effect.map(Effect.exit(read), isRefused))
        const { isWhole } = yield* alerts.troubles(at)
        const takenBack = yield* deliveries.takeBack({ from, at })
        yield* bringBack
        // A session that had asked the node before learns at its next statement that it was away.
        const rest = yield* Effect.repeat(deliveries.takeBack({ from, at }), { until: (count) => count > 0 })

        assert.deepStrictEqual(
          refusals,
          reads.map(() => true)
        )
        assert.isFalse(isWhole)
        assert.isNotEmpty(elsewhere)
        assert.deepStrictEqual([takenBack, rest], [elsewhere.length, 12 - elsewhere.length])
      })
    )
  )
})

/** Whether it has failed because the store is away. */
const isRefused = (exit: Exit.Exit<unknown>) => Exit.isFailure(exit) && absenceIn(exit.cause) !== undefined

import { assert, describe, it } from "@effect/vitest"
import { StoredJson } from "@runhook/core/domain/json/StoredJson"
import { DispatcherId, newId } from "@runhook/core/domain/Ids"
import { ArtifactStore } from "@runhook/core/ports/ArtifactStore"
import { DeliveryStore, roomFor } from "@runhook/core/ports/DeliveryStore"
import { EndpointStore } from "@runhook/core/ports/EndpointStore"
import { ExecutionStore } from "@runhook/core/ports/ExecutionStore"
import { HistoryStore } from "@runhook/core/ports/HistoryStore"
import { RunStore } from "@runhook/core/ports/RunStore"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import { UsageStore } from "@runhook/core/ports/UsageStore"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import { finalizeMs, newArtifact } from "@runhook/store-testing/artifacts/ArtifactStoreSuite"
import { makeSender } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { makeEndpoint } from "@runhook/store-testing/endpoints/EndpointFixtures"
import {
  callbackUrl,
  makeExecution,
  makeTenant,
  newExecution,
  second,
  unlimited
} from "@runhook/store-testing/Fixtures"
import { claimUpTo, lease, makeSession, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as Array from "effect/Array"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { queueMany } from "../deliveries/queue/Queued.ts"
import { createDatabase, type Node, said, start, urlOf } from "@runhook/test-support/citus/Cluster"

const database = "runhook"

const oldKeyInEachBucket = `
  INSERT INTO idempotency_keys (bucket, api_key_id, key, fingerprint, execution_id, created_at, expires_at)
  SELECT bucket, gen_random_uuid(), 'key', 'fingerprint', gen_random_uuid(), '2020-01-01', '2020-01-02'
  FROM generate_series(0, 255) AS bucket`

/** The accounts whose rows lie on another node. */
const accountsBeside = ({ port }: Node) => `
  SELECT a.id
  FROM accounts a
  JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('executions', a.bucket)
  JOIN pg_dist_node n ON n.groupid = p.groupid
  WHERE n.nodeport <> ${port}`

/** A coordinator and two workers that end with the scope, or before it. */
const nodes = Effect.acquireRelease(Effect.promise(start), (all) =>
  Effect.promise(() => Promise.all(all.map((node) => node.end())))
)

describe("A node of Citus that is away", () => {
  it.live("keeps nobody from looking for what is due on the others", () =>
    Effect.gen(function* () {
      const [coordinator, lost, ...others] = yield* nodes
      assert.isDefined(coordinator)
      assert.isDefined(lost)
      yield* Effect.promise(() => createDatabase([coordinator, lost, ...others], database))
      const options = { url: Redacted.make(urlOf(coordinator.port, database)), maxConnections: 4 }
      yield* PgDatabase.upToDate(options)
      const stores = PgStore.layerStores.pipe(
        Layer.provideMerge(PgDatabase.layer(options)),
        Layer.provideMerge(SecureRandom.layerWebCrypto)
      )
      yield* Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const deliveries = yield* DeliveryStore
        const dispatcher = yield* newId(DispatcherId)
        const at = yield* DateTime.now
        const round = { at, limit: 1_000 }
        yield* Effect.promise(() => said(coordinator.port, database, oldKeyInEachBucket))
        yield* Effect.forEach(Array.range(1, 12), () =>
          Effect.flatMap(makeSender(), (sender) => queueMany(sender, { count: 1, url: callbackUrl }))
        )
        const elsewhere = yield* Effect.promise(() => said(coordinator.port, database, accountsBeside(lost)))
        yield* Effect.promise(() => lost.end())

        const nextDueAt = yield* sweeps.nextDueAt(at)
        const pruned = yield* sweeps.prune(round)
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
        assert.sameDeepMembers(
          claimed.deliveries.map(({ delivery }) => ({ id: delivery.accountId })),
          [...elsewhere]
        )
        assert.deepStrictEqual(swept, {
          leases: [],
          attempts: [],
          inputs: [],
          waiting: [],
          takenBack: 0
        })
      }).pipe(Effect.provide(stores, { local: true }))
    }).pipe(Effect.scoped)
  )

  it.live(
    "keeps no work of the others from being created, claimed, started and finished, with progress, artifacts and counts",
    () =>
      Effect.gen(function* () {
        const [coordinator, lost, ...others] = yield* nodes
        assert.isDefined(coordinator)
        assert.isDefined(lost)
        yield* Effect.promise(() => createDatabase([coordinator, lost, ...others], database))
        const options = { url: Redacted.make(urlOf(coordinator.port, database)), maxConnections: 4 }
        yield* PgDatabase.upToDate(options)
        const stores = PgStore.layerStores.pipe(
          Layer.provideMerge(PgDatabase.layer(options)),
          Layer.provideMerge(SecureRandom.layerWebCrypto)
        )
        yield* Effect.gen(function* () {
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
          const elsewhere = yield* Effect.promise(() =>
            said(coordinator.port, database, accountsBeside(lost))
          )
          yield* Effect.promise(() => lost.end())

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
                return [{ id: finished.run.execution.accountId }]
              }).pipe(Effect.catchCause(() => Effect.succeed([]))),
            { concurrency: "unbounded" }
          )

          const uses = sessions.map(({ tenant }) => ({ ...tenant, at, from: null }))
          const unadded = yield* usage.add({ sums: [], keyUses: uses, receivers: [], lastAttempts: [] })

          assert.isNotEmpty(elsewhere)
          assert.sameDeepMembers(ended.flat(), [...elsewhere])
          const added = uses.filter(({ accountId }) => !unadded.has(accountId))
          assert.sameDeepMembers(
            added.map(({ accountId }) => ({ id: accountId })),
            [...elsewhere]
          )
        }).pipe(Effect.provide(stores, { local: true }))
      }).pipe(Effect.scoped)
  )

  it.live(
    "keeps no wait of the others from being looked after, and no endpoint of theirs from being told",
    () =>
      Effect.gen(function* () {
        const [coordinator, lost, ...others] = yield* nodes
        assert.isDefined(coordinator)
        assert.isDefined(lost)
        yield* Effect.promise(() => createDatabase([coordinator, lost, ...others], database))
        const options = { url: Redacted.make(urlOf(coordinator.port, database)), maxConnections: 4 }
        yield* PgDatabase.upToDate(options)
        const stores = PgStore.layerStores.pipe(
          Layer.provideMerge(PgDatabase.layer(options)),
          Layer.provideMerge(SecureRandom.layerWebCrypto)
        )
        yield* Effect.gen(function* () {
          const endpoints = yield* EndpointStore
          const history = yield* HistoryStore
          const made = yield* Effect.forEach(Array.range(1, 12), () =>
            Effect.gen(function* () {
              const tenant = yield* makeTenant()
              yield* makeEndpoint(tenant.accountId, { kind: "poll" })
              return yield* makeExecution(tenant)
            })
          )
          const elsewhere = yield* Effect.promise(() =>
            said(coordinator.port, database, accountsBeside(lost))
          )
          yield* Effect.promise(() => lost.end())
          const at = yield* DateTime.now

          const { events } = yield* endpoints.fanOut({ at, limit: 1_000 })
          const known = made.map((execution) => ({ ...execution, after: 0 }))
          const changed = yield* history.changedSince(known)

          assert.isNotEmpty(elsewhere)
          const ofOthers = (id: string) =>
            made.flatMap((execution) => (execution.id === id ? [{ id: execution.accountId }] : []))
          assert.sameDeepMembers(
            events.map(({ accountId }) => ({ id: accountId })),
            [...elsewhere]
          )
          assert.sameDeepMembers(changed.flatMap(ofOthers), [...elsewhere])
        }).pipe(Effect.provide(stores, { local: true }))
      }).pipe(Effect.scoped)
  )
})

/** What a busy service does with executions, one verb after the other, each for real. */
import type { Artifact } from "@runhook/core/artifacts/Artifact"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { ExecutionId } from "@runhook/core/shared/Ids"
import type { Outcome } from "@runhook/core/runs/EndMoves"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore, neverReported } from "@runhook/core/executions/history/HistoryStore"
import { type ClaimedRun, RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { finalizeMs, newArtifact } from "@runhook/store-testing/artifacts/ArtifactStoreSuite"
import { makeInlet } from "@runhook/store-testing/deliveries/queue/InletFixtures"
import {
  callbackUrl,
  makeExecution,
  makeTenant,
  newExecution,
  plenty,
  second,
  type Tenant
} from "@runhook/store-testing/Fixtures"
import {
  claimUpTo,
  lease,
  makeSession,
  makeWaitingPoll,
  newQuestion,
  startDeadline,
  writeTo
} from "@runhook/store-testing/runs/RunFixtures"
import { uuids } from "@runhook/store-pg/sql/Parameters"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Samples } from "./Samples.ts"
import { type Asked, many, prepared, together, type Verb, verb } from "./Verb.ts"

const at = second(2)
const all = { concurrency: "unbounded" } as const

/** They go before all that waits. */
const first = { callbackUrl, priority: 1_000, maxAttempts: 2 }

const completed: Outcome = { _tag: "Completed", result: StoredJson.of({ sum: 3 }) }
const failed: Outcome = { _tag: "Failed", message: "Broken", isRetryable: true }

export const executionRound = Effect.fnUntraced(function* ({ session, tenant }: Samples) {
  const sql = yield* SqlClient
  const executions = yield* ExecutionStore
  const artifacts = yield* ArtifactStore
  const history = yield* HistoryStore
  const runs = yield* RunStore
  const sweeps = yield* SweepStore
  const { accountId, apiKeyId } = tenant
  let held: ReadonlyArray<ClaimedRun> = []

  /** Its queues are empty: nothing that is due goes before what is created. */
  const idle = yield* makeTenant()
  const idleSession = yield* makeSession(idle)

  const createFor = Effect.fnUntraced(function* (whose: Tenant) {
    const execution = yield* newExecution(whose, first)
    const idempotency = { key: execution.id, fingerprint: "same", expiresAt: DateTime.add(at, { days: 7 }) }
    const { change } = yield* executions.create({
      execution,
      idempotency,
      accountMaxLive: plenty,
      keyMaxLive: plenty
    })
    return change.run.execution
  })
  const create = createFor(tenant)
  const createWaitedFor = Effect.scoped(
    Effect.gen(function* () {
      const { begun } = yield* makeWaitingPoll(idleSession)
      yield* createFor(idle)
      if (begun.length === 0) return yield* Effect.die(new Error("No poll was given it"))
    })
  )
  const creates = Effect.forEach(many, () => create, all)
  const createsHandedOver = Effect.scoped(
    Effect.gen(function* () {
      const { begun } = yield* makeInlet(tenant, { places: together })
      yield* creates
      if (begun.length < together) return yield* Effect.die(new Error("Not all were handed over"))
    })
  )
  const claim = claimUpTo(session, { limit: together, at }).pipe(
    Effect.tap(({ claims }) => Effect.sync(() => (held = claims)))
  )
  const eachOf = (count: number, doing: (write: ReturnType<typeof writeTo>) => Asked) =>
    Effect.suspend(() => Effect.forEach(held.slice(0, count), ({ run }) => doing(writeTo(run, at)), all))
  const starts = (count: number) => eachOf(count, (write) => runs.start({ ...write, lease }))
  const finish = (write: ReturnType<typeof writeTo>, outcome: Outcome) =>
    runs.finish({ ...write, outcome, fingerprint: "done" })
  const finishes = eachOf(together, (write) => finish(write, completed))
  const asks = eachOf(together, (write) =>
    Effect.flatMap(newQuestion(at, { key: write.id }), (input) =>
      Effect.andThen(
        runs.ask({ ...write, input }),
        executions.answer({ accountId, id: write.id, inputId: input.id, value: "7", at })
      )
    )
  )
  const cancels = eachOf(together, ({ id }) =>
    executions.stop({ accountId, id, to: "cancelled", reason: null, at })
  )
  const beat = Effect.suspend(() =>
    runs.beat({
      session,
      isDraining: false,
      inFlight: held.map(({ run: { execution } }) => ({ executionId: execution.id, epoch: execution.epoch })),
      lease,
      at: second(40)
    })
  )
  const one = Effect.suspend(() => Effect.fromNullishOr(held[0]?.run.execution))
  const ofOne = (
    name: string,
    doing: (ref: { readonly accountId: typeof accountId; readonly id: ExecutionId }) => Asked
  ) =>
    verb(
      name,
      1,
      Effect.flatMap(one, ({ id }) => doing({ accountId, id }))
    )
  let registered: Artifact | undefined
  const register = Effect.suspend(() => Effect.fromNullishOr(held[0]?.run)).pipe(
    Effect.flatMap((run) => newArtifact(run)),
    Effect.flatMap((artifact) => artifacts.register({ artifact, finalizeMs, quotaBytes: plenty, at })),
    Effect.tap((artifact) => Effect.sync(() => (registered = artifact)))
  )
  const makeReady = Effect.suspend(() =>
    Effect.flatMap(Effect.fromNullishOr(registered), (artifact) =>
      artifacts.markReady({ ...artifact, finalizeMs, at })
    )
  )
  /** Lets a moment of all that is held have passed. */
  const passed = (column: string) =>
    Effect.suspend(
      () => sql`
      UPDATE executions SET ${sql(column)} = statement_timestamp() - interval '1 second'
      WHERE account_id = ${accountId}::uuid AND id = ANY (${uuids(held.map(({ run }) => run.execution.id))})`
    )
  /** Deferred work whose time has come. */
  const becomesDue = Effect.gen(function* () {
    const deferred = { scheduledAt: second(3_600), priority: 1_000 }
    const made = yield* Effect.forEach(many, () => makeExecution(tenant, deferred), all)
    const ids = uuids(made.map(({ id }) => id))
    const due = sql`
      SET due_at = '2020-01-01' WHERE bucket = (SELECT bucket FROM accounts WHERE id = ${accountId}::uuid)`
    yield* sql`UPDATE delayed_queue ${due} AND execution_id = ANY (${ids})`
    yield* sql`UPDATE executions ${due} AND id = ANY (${ids})`
  })
  const round = { at, limit: together }
  const verbs: ReadonlyArray<Verb> = [
    verb("creates", together, creates),
    verb("creates whose events are handed over", together, createsHandedOver),
    verb("a create", 1, create),
    verb("a create that a poll waits for", 1, createWaitedFor),
    verb("claim", together, claim),
    verb("starts", together, starts(together)),
    verb("questions and answers", together, asks),
    verb("beat", together, beat),
    ofOne("a read", (ref) => executions.get(accountId, ref.id)),
    ofOne("a read of a run", (ref) => runs.get(ref)),
    ofOne("events of one", (ref) => history.events({ ...ref, after: 0, limit: together })),
    verb(
      "reports",
      together,
      Effect.suspend(() =>
        history.report({
          accountId,
          sessionId: session.id,
          at,
          reports: held.map(({ run: { execution } }) => ({
            executionId: execution.id,
            epoch: execution.epoch,
            percent: 7,
            message: null,
            step: null
          }))
        })
      )
    ),
    verb(
      "checkpoints",
      together,
      eachOf(together, (write) => runs.keepCheckpoint({ ...write, checkpoint: StoredJson.of({ page: 7 }) }))
    ),
    verb(
      "lines of logs",
      together,
      Effect.suspend(() =>
        history.log({
          accountId,
          sessionId: session.id,
          at,
          said: held.map(({ run: { execution } }) => ({
            executionId: execution.id,
            epoch: execution.epoch,
            lines: [{ level: "info", message: "here", ageMillis: 0, number: null }]
          }))
        })
      )
    ),
    ofOne("its log", (ref) => history.lines({ ...ref, after: 0, limit: together })),
    verb("an artifact", 1, register),
    verb("an artifact that is there", 1, register),
    verb("an artifact made ready", 1, makeReady),
    ofOne("its artifacts", ({ id }) => artifacts.listReady(accountId, id)),
    verb(
      "which have changed",
      together,
      Effect.suspend(() =>
        history.changedSince(
          held.map(({ run: { execution } }) => ({
            ...execution,
            after: 1_000,
            afterLine: 1_000,
            artifacts: 0,
            reportedAt: neverReported
          }))
        )
      )
    ),
    ofOne("its report", (ref) => history.progress(ref)),
    ofOne("what is ahead", (ref) => history.ahead({ ...ref, at })),
    ofOne("its deliveries", ({ id }) => history.deliveriesOf({ accountId, ids: [id] })),
    ofOne("a find of a duplicate", ({ id }) =>
      executions.findDuplicate({ accountId, apiKeyId, key: id, fingerprint: "same", at })
    ),
    verb("finishes", together, finishes),
    verb("claim", together, claim),
    verb("a start", 1, starts(1)),
    verb(
      "work given back",
      together,
      eachOf(together, (write) => Effect.ignore(runs.giveBack({ ...write, delay: Duration.zero })))
    ),
    verb(
      "finishes of what was started",
      together,
      eachOf(together, (write) => Effect.ignore(finish(write, completed)))
    ),
    verb("creates", together, creates),
    verb("claim", together, claim),
    verb("cancels", together, cancels),
    verb(
      "claim that finds no room",
      together,
      runs.claim({ session, claimId: "none", limit: 1, startDeadline, at })
    ),
    prepared(Effect.andThen(creates, Effect.andThen(claim, starts(together)))),
    verb(
      "failures that are tried again",
      together,
      eachOf(together, (write) => finish(write, failed))
    ),
    prepared(becomesDue),
    verb("claim of one of many that have become due", together, claimUpTo(session, { limit: 1, at })),
    prepared(Effect.andThen(cancels, Effect.andThen(claim, cancels))),
    verb("sweep's next look", together, sweeps.nextDueAt(at)),
    prepared(Effect.andThen(creates, Effect.andThen(claim, passed("lease_expires_at")))),
    verb("sweep of leases", together, sweeps.expireLeases(round)),
    prepared(Effect.andThen(claim, Effect.andThen(starts(together), passed("deadline_at")))),
    verb("sweep of attempts", together, sweeps.timeOutRuns(round)),
    prepared(
      Effect.forEach(
        many,
        () => makeExecution(tenant, { expiresAt: DateTime.add(second(0), { milliseconds: 1 }) }),
        all
      )
    ),
    verb("sweep of what was not started", together, sweeps.expireExecutions(round)),
    verb("sweep of what is forgotten", together, sweeps.prune("expired", round))
  ]
  return verbs
})

/** What each verb does on a side, and what of its answer every store must agree on. */
import { replacedReason } from "@runhook/core/runs/seats/Concurrency"
import type { Execution } from "@runhook/core/executions/Execution"
import type { RescheduleRequest } from "@runhook/core/executions/RescheduleRequest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { Outcome } from "@runhook/core/runs/EndMoves"
import type { Change, Run } from "@runhook/core/runs/Run"
import { presentMax } from "@runhook/core/runs/sessions/RunnerSession"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { callbackUrl, newExecution, second, type Stores } from "@runhook/store-testing/Fixtures"
import { claimUpTo, lease, newQuestion, newSession } from "@runhook/store-testing/runs/RunFixtures"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { deliveryVerbs } from "./DeliveryVerbs.ts"
import { endpointVerbs } from "./EndpointVerbs.ts"
import { bit, type Doing, pick } from "./Doing.ts"
import type { Step, Verb } from "./Step.ts"
import { fromEnd, keep, now, type Side } from "./Side.ts"

/** Looks for seats, a second apart, until each that can be given is given. */
const looks = 3

/** What a caller learns of a change, which the side keeps. A lease may have been given more since: `beat` tells of that. */
const noted =
  (side: Side) =>
  (change: Change): Change => {
    const { execution, lease: stored } = change.run
    keep(side.executions, execution)
    const known = stored && { ...stored, expiresAt: now(side) }
    return { ...change, run: { ...change.run, lease: known } }
  }

/** All of the account, in one order: a round may take them in any. */
const ownOf = (side: Side, changes: ReadonlyArray<Change>): ReadonlyArray<Change> =>
  changes
    .filter(({ run }) => run.execution.accountId === side.tenants[0].accountId)
    .toSorted((one, other) => (one.run.execution.id < other.run.execution.id ? -1 : 1))
    .map(noted(side))

const ofExecution =
  (act: (execution: Execution, side: Side, step: Step) => Effect.Effect<unknown, unknown, Stores>): Doing =>
  (side, step) => {
    const execution = fromEnd(side.executions, step.which)
    return execution === undefined ? Effect.void : act(execution, side, step)
  }

/** A runner's write, now and then under an epoch that is over. */
const write = ({ accountId, epoch, id }: Execution, side: Side, { how }: Step) => ({
  accountId,
  id,
  epoch: bit(how, 5) && bit(how, 4) ? Math.max(0, epoch - 1) : epoch,
  at: now(side)
})

const sweep =
  (
    round: (
      store: SweepStore["Service"],
      options: { at: DateTime.Utc; limit: number }
    ) => Effect.Effect<ReadonlyArray<Change>>
  ): Doing =>
  (side) =>
    SweepStore.use((store) =>
      Effect.map(round(store, { at: now(side), limit: 1_000 }), (changes) => ownOf(side, changes))
    )

const outcomeOf = (how: number): Outcome =>
  pick<Outcome>(
    [
      { _tag: "Completed", result: StoredJson.of({ pages: how }) },
      { _tag: "Failed", message: "No paper", isRetryable: true },
      { _tag: "Failed", message: "No ink", isRetryable: false },
      { _tag: "Failed", message: "Later", isRetryable: true, retryDelayMillis: 5_000 },
      { _tag: "Cancelled", reason: bit(how, 3) ? "No need" : null }
    ],
    how
  )

const claimedIds = (runs: ReadonlyArray<{ readonly run: Run }>, side: Side) => {
  keep(side.executions, ...runs.map(({ run }) => run.execution))
  return runs.map(({ run }) => run)
}

export const verbs: { readonly [verb in Verb]: Doing } = {
  create: (side, { how, which }) =>
    Effect.gen(function* () {
      const store = yield* ExecutionStore
      const createdAt = now(side)
      const execution = yield* newExecution(side.tenants[which % 2 === 0 ? 0 : 1], {
        createdAt,
        priority: bit(how, 0) ? 1 : 0,
        status: which === 5 ? "pending" : "queued",
        scheduledAt: which === 4 ? DateTime.add(createdAt, { seconds: 20 }) : null,
        expiresAt: which === 3 ? DateTime.add(createdAt, { seconds: 40 }) : null,
        timeoutSeconds: bit(how, 1) ? 30 : null,
        maxAttempts: bit(how, 2) ? 2 : 1,
        callbackUrl: bit(how, 3) ? callbackUrl : null,
        concurrency: bit(how, 4)
          ? { key: "red", limit: 1 + (which % 2), policy: pick(["queue", "reject", "cancel_running"], how) }
          : null
      })
      const answer = yield* store.create({
        execution,
        accountMaxLive: 12,
        keyMaxLive: which % 2 === 0 ? null : 6,
        idempotency: bit(how, 5)
          ? {
              key: pick(["one", "two"], how),
              fingerprint: `of ${which % 2}`,
              expiresAt: second(side.seconds + 40)
            }
          : null
      })
      noted(side)(answer.change)
      return answer
    }),

  openSession: (side, { how }) =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const again = bit(how, 0) ? fromEnd(side.sessions, how) : undefined
      const session = yield* newSession(side.tenants[0], {
        capacity: 1 + (how % 4),
        ...(again !== undefined && { instanceId: again.instanceId }),
        createdAt: now(side),
        lastSeenAt: now(side)
      })
      const opened = yield* store.openSession({ session, presentMax: bit(how, 1) ? presentMax : 3 })
      keep(side.sessions, opened.session)
      return { session: opened.session, held: claimedIds(opened.held, side) }
    }),

  closeSession: (side, { which }) =>
    RunStore.use((store) => {
      const session = fromEnd(side.sessions, which)
      if (session === undefined) return Effect.void
      const { accountId, id } = session
      return Effect.map(store.closeSession({ accountId, id, at: now(side) }), (changes) =>
        ownOf(side, changes)
      )
    }),

  drainSession: (side, { which }) =>
    RunStore.use((store) => {
      const session = fromEnd(side.sessions, which)
      if (session === undefined) return Effect.void
      const { accountId, id } = session
      return store.drainSession({ accountId, id, at: now(side) })
    }),

  claim: (side, { how, which }) =>
    Effect.gen(function* () {
      const session = fromEnd(side.sessions, which)
      if (session === undefined) return
      const { claims } = yield* claimUpTo(session, { limit: 1 + (how % 3), at: now(side) })
      return claimedIds(claims, side)
    }),

  beat: (side, { how, which }) =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const session = fromEnd(side.sessions, which)
      if (session === undefined) return
      const inFlight = side.executions.slice(-4).map(({ epoch, id: executionId }) => ({ executionId, epoch }))
      const { held } = yield* store.beat({
        session,
        isDraining: pick([null, null, true, false], how),
        inFlight,
        lease,
        at: now(side)
      })
      return held.toSorted((one, other) => (one.execution.id < other.execution.id ? -1 : 1))
    }),

  start: ofExecution((execution, side, step) =>
    RunStore.use((store) => Effect.map(store.start({ ...write(execution, side, step), lease }), noted(side)))
  ),

  finish: ofExecution((execution, side, step) => {
    const outcome = outcomeOf(step.how)
    const ending = { ...write(execution, side, step), outcome, fingerprint: JSON.stringify(outcome) }
    return RunStore.use((store) => Effect.map(store.finish(ending), noted(side)))
  }),

  giveBack: ofExecution((execution, side, step) =>
    RunStore.use((store) =>
      Effect.map(
        store.giveBack({ ...write(execution, side, step), delay: Duration.seconds(step.how % 8) }),
        noted(side)
      )
    )
  ),

  keepCheckpoint: ofExecution((execution, side, step) =>
    RunStore.use((store) =>
      store.keepCheckpoint({ ...write(execution, side, step), checkpoint: StoredJson.of({ at: step.how }) })
    )
  ),

  ask: ofExecution((execution, side, step) =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const { how } = step
      const input = yield* newQuestion(now(side), {
        key: pick(["code", "colour"], how),
        mode: bit(how, 1) ? "hold" : "release",
        onTimeout: pick(["error", "cancel", "default"], how),
        defaultValue: "blue"
      })
      const answer = yield* store.ask({ ...write(execution, side, step), input })
      noted(side)(answer.change)
      keep(side.inputs, { execution, id: answer.input.id })
      return answer
    })
  ),

  answer: (side, { how, which }) =>
    ExecutionStore.use((store) => {
      const input = fromEnd(side.inputs, which)
      if (input === undefined) return Effect.void
      const { accountId, id } = input.execution
      return Effect.map(
        store.answer({ accountId, id, inputId: input.id, value: how, at: now(side) }),
        noted(side)
      )
    }),

  stop: ofExecution(({ accountId, id }, side, { how }) =>
    ExecutionStore.use((store) =>
      Effect.map(
        store.stop({
          accountId,
          id,
          to: bit(how, 0) ? "cancelled" : "aborted",
          reason: bit(how, 1) ? "Enough" : null,
          at: now(side)
        }),
        noted(side)
      )
    )
  ),

  release: ofExecution(({ accountId, id }, side) =>
    ExecutionStore.use((store) => Effect.map(store.release({ accountId, id, at: now(side) }), noted(side)))
  ),

  reschedule: ofExecution(({ accountId, id }, side, { how }) =>
    ExecutionStore.use((store) =>
      Effect.map(
        store.reschedule({
          accountId,
          id,
          at: now(side),
          change: pick<RescheduleRequest>(
            [
              { priority: how % 3 },
              { scheduledAt: null },
              { scheduledAt: DateTime.add(now(side), { seconds: how }) },
              { expiresAt: DateTime.add(now(side), { seconds: how + 1 }) }
            ],
            how
          )
        }),
        noted(side)
      )
    )
  ),

  remove: ofExecution(({ accountId, id }) => ExecutionStore.use((store) => store.remove({ accountId, id }))),

  giveSeats: (side) =>
    Effect.gen(function* () {
      const sweeps = yield* SweepStore
      const executions = yield* ExecutionStore
      const { accountId } = side.tenants[0]
      const cancelled = []
      // A store may look again after a while at what was in the way.
      for (let look = 0; look < looks; look++) {
        for (let keys = -1; keys !== 0;) {
          const given = yield* sweeps.giveSeats({ at: now(side), limit: 1_000 })
          keys = given.keys
          for (const { id } of given.inTheWay.filter((each) => each.accountId === accountId)) {
            const stopping = {
              accountId,
              id,
              to: "cancelled",
              reason: replacedReason,
              at: now(side)
            } as const
            cancelled.push(noted(side)(yield* executions.stop(stopping)))
          }
        }
        side.seconds += 1
      }
      return ownOf(side, cancelled)
    }),

  expireLeases: sweep((store, round) => store.expireLeases(round)),
  timeOutRuns: sweep((store, round) => store.timeOutRuns(round)),
  expireInputs: sweep((store, round) => store.expireInputs(round)),
  expireExecutions: sweep((store, round) => store.expireExecutions(round)),
  pruneKeys: (side) =>
    SweepStore.use((store) => Effect.asVoid(store.prune("expired", { at: now(side), limit: 1_000 }))),

  ...deliveryVerbs,
  ...endpointVerbs
}

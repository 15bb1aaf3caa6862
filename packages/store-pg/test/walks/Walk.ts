/** Everything that happens to executions, at random and at once. */
import type { Execution } from "@runhook/core/executions/Execution"
import { SessionId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { Outcome } from "@runhook/core/runs/EndMoves"
import type { Run } from "@runhook/core/runs/Run"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { AgentStore } from "@runhook/core/catalog/AgentStore"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { settleAll } from "@runhook/store-testing/deliveries/DeliveryTurns"
import { makeInlet } from "@runhook/store-testing/deliveries/queue/InletFixtures"
import {
  callbackUrl,
  idAt,
  makeExecution,
  makeTenant,
  newExecution,
  type Tenant,
  unlimited
} from "@runhook/store-testing/Fixtures"
import { makeSession, newQuestion, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** How many of the runs claimed last the verbs are about: few, so that they meet. */
const aboutMax = 6

const oneOf = <A>(items: ReadonlyArray<A>) =>
  Effect.map(Random.nextIntBetween(0, Math.max(items.length, 1)), (place) => items[place])

/** Few keys, so that they are shared, some with several seats; now and then one cancels others. */
const concurrencyOf = (step: number) =>
  ({
    key: `key-${step % 3}`,
    limit: 1 + (step % 3),
    policy: step % 7 === 0 ? "cancel_running" : "queue"
  }) as const

/** What the walkers of all processes are about. */
export interface Field {
  readonly tenant: Tenant
  readonly session: RunnerSession
  readonly claimed: Array<Run>
  readonly held: Array<Execution>
  /** How long leases last, and how long claimed work may wait for its start. */
  readonly lease: Duration.Duration
}

export const makeField = Effect.fnUntraced(function* (lease: Duration.Duration, at: DateTime.Utc) {
  const tenant = yield* makeTenant({ capacity: 4 })
  const session = yield* makeSession(tenant, { createdAt: at, lastSeenAt: at })
  const field: Field = { tenant, session, claimed: [], held: [], lease }
  return field
})

/** Everything that may happen to executions of a tenant at a process, at an instant. What often happens is there more than once. */
const makeVerbs = Effect.fnUntraced(function* ({ claimed, held, lease, session, tenant }: Field) {
  const executions = yield* ExecutionStore
  const runs = yield* RunStore
  const sweeps = yield* SweepStore
  const agents = yield* AgentStore
  const deliveries = yield* DeliveryStore
  const { accountId, agentId: id } = tenant
  const { begun } = yield* makeInlet(tenant, { places: Infinity })

  /** Does something to a run that was claimed lately, if it lets itself be done. */
  const toRun = <A, E, R>(write: (run: Run) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(oneOf(claimed.slice(-aboutMax)), (run) =>
      run === undefined ? Effect.void : Effect.result(write(run))
    )

  const giveSeats = (at: DateTime.Utc) =>
    Effect.flatMap(sweeps.giveSeats({ at, limit: 10 }), ({ inTheWay }) =>
      Effect.forEach(inTheWay, (ref) => executions.stop({ ...ref, to: "cancelled", reason: "replaced", at }))
    )

  return (at: DateTime.Utc, step: number) => {
    const create = makeExecution(tenant, { callbackUrl, createdAt: at, maxAttempts: 3, timeoutSeconds: 20 })
    const shared = { concurrency: concurrencyOf(step) }
    const claim = Effect.gen(function* () {
      const claimId = yield* idAt(SessionId, at)
      const { claims } = yield* runs.claim({ session, claimId, limit: 2, startDeadline: lease, at })
      claimed.push(...claims.map(({ run }) => run))
    })
    const beat = toRun(({ execution: { epoch, id: executionId } }) =>
      runs.beat({ session, isDraining: false, inFlight: [{ executionId, epoch }], lease, at })
    )
    const start = toRun((run) => runs.start({ ...writeTo(run, at), lease }))
    const finish = (outcome: Outcome) =>
      toRun((run) => runs.finish({ ...writeTo(run, at), outcome, fingerprint: outcome._tag }))
    return [
      create,
      create,
      create,
      claim,
      claim,
      claim,
      start,
      start,
      start,
      beat,
      finish({ _tag: "Completed", result: StoredJson.of({ step }) }),
      finish({ _tag: "Failed", message: "no such page", isRetryable: true }),
      toRun((run) => runs.giveBack({ ...writeTo(run, at), delay: Duration.seconds(step % 2) })),
      toRun((run) =>
        Effect.flatMap(newQuestion(at, { mode: step % 2 === 0 ? "hold" : "release" }), (input) =>
          runs.ask({ ...writeTo(run, at), input })
        )
      ),
      toRun(({ execution }) =>
        Effect.flatMap(executions.inputs(accountId, execution.id), (inputs) =>
          Effect.forEach(inputs, (input) =>
            executions.answer({ accountId, id: execution.id, inputId: input.id, value: step, at })
          )
        )
      ),
      toRun(({ execution }) =>
        executions.stop({ accountId, id: execution.id, to: "aborted", reason: null, at })
      ),
      Effect.map(makeExecution(tenant, { callbackUrl, createdAt: at, status: "pending", ...shared }), (one) =>
        held.push(one)
      ),
      Effect.flatMap(oneOf(held.slice(-aboutMax)), (one) =>
        one === undefined ? Effect.void : executions.release({ accountId, id: one.id, at })
      ),
      makeExecution(tenant, {
        ...shared,
        createdAt: at,
        scheduledAt: DateTime.add(at, { seconds: 3 }),
        priority: step % 3
      }),
      makeExecution(tenant, { ...shared, createdAt: at, maxAttempts: 3, timeoutSeconds: 20 }),
      giveSeats(at),
      giveSeats(at),
      makeExecution(tenant, {
        callbackUrl,
        createdAt: at,
        expiresAt: DateTime.add(at, { seconds: 2 }),
        priority: -1
      }),
      sweeps.expireLeases({ at: DateTime.add(at, { seconds: step % 80 }), limit: 10 }),
      sweeps.timeOutRuns({ at, limit: 10 }),
      sweeps.expireInputs({ at: DateTime.add(at, { seconds: step % 80 }), limit: 10 }),
      sweeps.expireExecutions({ at, limit: 10 }),
      agents.update({ accountId, id, at, change: { capacity: 1 + (step % 9) } }),
      deliveries.claimDue({ room: roomFor(5), lease: Duration.seconds(5), at }),
      Effect.suspend(() => settleAll(tenant, begun.splice(0, 1 + (step % 20)), { at })),
      Effect.flatMap(newExecution(tenant, { createdAt: at }), (execution) =>
        Effect.result(
          executions.create({
            ...unlimited,
            accountMaxLive: 200,
            execution,
            idempotency: {
              key: `key-${step % 5}`,
              fingerprint: "same",
              expiresAt: DateTime.add(at, { seconds: 4 })
            }
          })
        )
      )
    ]
  }
})

/** Walks at random, from the instant of each step. */
export const makeWalk = Effect.fnUntraced(function* <E, R>(
  field: Field,
  {
    instantOf,
    steps
  }: { readonly steps: number; readonly instantOf: (step: number) => Effect.Effect<DateTime.Utc, E, R> }
) {
  const verbsAt = yield* makeVerbs(field)
  for (let step = 0; step < steps; step++) {
    const verb = yield* oneOf(verbsAt(yield* instantOf(step), step))
    if (verb !== undefined) yield* verb
  }
})

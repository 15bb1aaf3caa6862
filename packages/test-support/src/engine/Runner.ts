/** A runner process at work, and the waits of tests for what is not to come. */
import type { CreateExecution } from "@runhook/core/executions/create/CreateExecution"
import { type ExecutionId, newId, SessionId } from "@runhook/core/shared/Ids"
import type { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import type { Claim } from "@runhook/core/executions/params/ParamsDefaults"
import { Polling } from "@runhook/core/runs/claim/Polling"
import { type Introduction, type Question, Runs } from "@runhook/core/runs/Runs"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { makeExecution, type Tenant } from "./Tenant.ts"

export interface Runner {
  readonly key: RunnerKeyRecord
  readonly sessionId: SessionId
}

export const newIntroduction = (fields: Partial<Introduction> = {}): Introduction => ({
  instanceId: "instance-1",
  runnerName: "Runner",
  version: "1.0.0",
  agentIds: null,
  capacity: 10,
  labels: {},
  ...fields
})

/** A runner with an open session; it serves all agents of the tenant, unless told otherwise. */
export const makeRunner = Effect.fnUntraced(function* (
  { runnerKey }: Pick<Tenant, "runnerKey">,
  fields: Partial<Introduction> = {}
) {
  const { session } = yield* (yield* Runs).open(runnerKey, newIntroduction(fields))
  const runner: Runner = { key: runnerKey, sessionId: session.id }
  return runner
})

type PollOptions = Parameters<Polling["Service"]["poll"]>[0]

/** A poll with one free slot, under a claim id that was never used before, for 25 s. */
export const poll = Effect.fnUntraced(function* (runner: Runner, fields: Partial<PollOptions> = {}) {
  return yield* (yield* Polling).poll({
    ...runner,
    inFlight: [],
    claimId: yield* newId(SessionId),
    freeSlots: 1,
    isDraining: false,
    wait: Duration.seconds(25),
    ...fields
  })
})

/** A poll that does not wait. */
export const pollNow = (runner: Runner, fields: Partial<PollOptions> = {}) =>
  poll(runner, { ...fields, wait: Duration.zero })

/** The ids of claimed work, in the order it was handed out. */
export const idsOf = ({ claims }: { readonly claims: ReadonlyArray<Claim> }): ReadonlyArray<ExecutionId> =>
  claims.map(({ run }) => run.execution.id)

/** Work that a runner believes to hold, as its polls name it. */
export const inFlightOf = ({ epoch, id }: { readonly epoch: number; readonly id: ExecutionId }) => ({
  executionId: id,
  epoch
})

/** Takes the next work there is. */
export const claimNext = Effect.fnUntraced(function* (runner: Runner) {
  const { claims } = yield* pollNow(runner)
  const [claim] = claims
  if (claim === undefined) return yield* Effect.die(new Error("There is no work"))
  const { epoch, id } = claim.run.execution
  return { key: runner.key, id, epoch }
})

/** Takes the next work there is, and starts it. */
export const startNext = Effect.fnUntraced(function* (runner: Runner) {
  const held = yield* claimNext(runner)
  yield* (yield* Runs).start(held)
  return held
})

/** A new execution that the runner has claimed. */
export const makeClaimedRun = Effect.fnUntraced(function* (
  tenant: Tenant,
  runner: Runner,
  fields: Partial<CreateExecution> = {}
) {
  const execution = yield* makeExecution(tenant, fields)
  return { execution, held: yield* claimNext(runner) }
})

/** A new execution that the runner has started. */
export const makeStartedRun = Effect.fnUntraced(function* (
  tenant: Tenant,
  runner: Runner,
  fields: Partial<CreateExecution> = {}
) {
  const execution = yield* makeExecution(tenant, fields)
  return { execution, held: yield* startNext(runner) }
})

/** A question that waits a minute for an answer of text. */
export const newQuestion = (fields: Partial<Question> = {}): Question => ({
  key: "code",
  prompt: "Which code did you get?",
  schema: { type: "string" },
  onTimeout: "error",
  defaultValue: null,
  mode: "hold",
  expiresIn: Duration.minutes(1),
  ...fields
})

/** Begins a wait, and comes back when nothing more happens without time or news. */
export const parked = Effect.fnUntraced(function* <A, E, R>(wait: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(wait, { startImmediately: true })
  if (yield* isOver(fiber)) return yield* Effect.die(new Error("It did not wait"))
  return fiber
})

/** Whether a wait has ended once all has happened that can without time. */
export const isOver = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<boolean> =>
  Effect.map(TestClock.adjust(0), () => fiber.pollUnsafe() !== undefined)

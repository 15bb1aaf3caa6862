/** Runners, and the executions they hold, for tests. */
import type { Execution } from "@runhook/core/executions/Execution"
import { InputId, SessionId } from "@runhook/core/shared/Ids"
import type { InputRequest } from "@runhook/core/runs/InputRequest"
import type { Change, Run } from "@runhook/core/runs/Run"
import { presentMax, type RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { type ClaimedRun, RunStore } from "@runhook/core/runs/RunStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { WorkInlets } from "@runhook/core/runs/claim/WorkInlets"
import * as Effect from "effect/Effect"
import { idAt, makeExecution, second, type Tenant } from "../Fixtures.ts"

/** How long claimed work may wait for its start: until second 61, when claimed at second 1. */
export const startDeadline = Duration.seconds(60)

/** How long a lease lasts after a start or a beat. */
export const lease = Duration.seconds(60)

/** A session that is not open yet. */
export const newSession = Effect.fnUntraced(function* (tenant: Tenant, fields: Partial<RunnerSession> = {}) {
  const at = second(0)
  const id = yield* idAt(SessionId, at)
  const session: RunnerSession = {
    id,
    accountId: tenant.accountId,
    runnerKeyId: tenant.runnerKeyId,
    instanceId: id,
    runnerName: "Runner",
    version: "1.0.0",
    agentIds: null,
    capacity: 10,
    labels: {},
    isDraining: false,
    drainRequestedAt: null,
    createdAt: at,
    lastSeenAt: at,
    ...fields
  }
  return session
})

/** An open session; it serves all agents of the tenant, unless told otherwise. */
export const makeSession = Effect.fnUntraced(function* (tenant: Tenant, fields: Partial<RunnerSession> = {}) {
  const store = yield* RunStore
  const { session } = yield* store.openSession({ session: yield* newSession(tenant, fields), presentMax })
  return session
})

/** Claims under a claim id that was never used before. */
export const claimUpTo = Effect.fnUntraced(function* (
  session: RunnerSession,
  { limit, at }: { readonly limit: number; readonly at: DateTime.Utc }
) {
  const store = yield* RunStore
  const claimId = yield* idAt(SessionId, at)
  return yield* store.claim({ session, claimId, limit, startDeadline, at })
})

/** The ids of claimed runs, in the order they were handed out. */
export const idsOf = (claims: ReadonlyArray<ClaimedRun>): ReadonlyArray<string> =>
  claims.map(({ run }) => run.execution.id)

/** A write of the runner that holds the run as it is given here. */
export const writeTo = ({ execution: { accountId, id, epoch } }: Run, at: DateTime.Utc) => ({
  accountId,
  id,
  epoch,
  at
})

/** A run that a new session has claimed at second 1. */
export const makeClaimedRun = Effect.fnUntraced(function* (tenant: Tenant, fields: Partial<Execution> = {}) {
  const { id } = yield* makeExecution(tenant, fields)
  const session = yield* makeSession(tenant)
  const { claims } = yield* claimUpTo(session, { limit: 100, at: second(1) })
  const claimed = claims.find(({ run }) => run.execution.id === id)
  return claimed === undefined
    ? yield* Effect.die(new Error(`Execution ${id} was not claimed`))
    : { session, run: claimed.run }
})

/** A run that a new session has started at second 2. */
export const makeStartedRun = Effect.fnUntraced(function* (tenant: Tenant, fields: Partial<Execution> = {}) {
  const store = yield* RunStore
  const { session, run } = yield* makeClaimedRun(tenant, fields)
  const change = yield* Effect.orDie(store.start({ ...writeTo(run, second(2)), lease }))
  return { session, run: change.run }
})

/** A question that is not asked yet. It waits a minute for its answer. */
export const newQuestion = Effect.fnUntraced(function* (
  askedAt: DateTime.Utc,
  fields: Partial<InputRequest> = {}
) {
  const input: InputRequest = {
    id: yield* idAt(InputId, askedAt),
    key: "code",
    prompt: "Which code did you get?",
    schema: { type: "string" },
    onTimeout: "error",
    defaultValue: null,
    mode: "hold",
    askedAt,
    expiresAt: DateTime.add(askedAt, { seconds: 60 }),
    answeredAt: null,
    value: null,
    ...fields
  }
  return input
})

/** A run that asks a question at second 3, and waits for the answer until second 63. */
export const makeAskingRun = Effect.fnUntraced(function* (
  tenant: Tenant,
  {
    execution,
    question
  }: { readonly execution?: Partial<Execution>; readonly question?: Partial<InputRequest> } = {}
) {
  const store = yield* RunStore
  const { session, run } = yield* makeStartedRun(tenant, execution)
  const input = yield* newQuestion(second(3), question)
  const { change } = yield* Effect.orDie(store.ask({ ...writeTo(run, second(3)), input }))
  return { session, run: change.run, input }
})

/** A poll of a session that waits with so many places, one of which it has for each run, and notes what they are told. */
export const makeWaitingPoll = Effect.fnUntraced(function* (
  session: RunnerSession,
  { isStarting = false, places = 1 }: { readonly isStarting?: boolean; readonly places?: number } = {}
) {
  const inlets = yield* WorkInlets
  const claimId = yield* idAt(SessionId, second(0))
  const begun: Array<Change> = []
  const ends: Array<Array<"begun" | "doubted" | "freed">> = []
  yield* inlets.open({
    ...session,
    sessionId: session.id,
    claimId,
    startDeadline,
    lease: isStarting ? lease : null,
    reservePlace: () => {
      if (ends.length >= places) return null
      const told: (typeof ends)[number] = []
      ends.push(told)
      return {
        begin: (change) => {
          told.push("begun")
          begun.push(change)
        },
        free: () => told.push("freed"),
        doubt: () => told.push("doubted")
      }
    }
  })
  return { session, claimId, begun, ends: () => ends.map((told) => told.join()) }
})

/** Sessions and leases in memory. */
import type { ExecutionId } from "@runhook/core/shared/Ids"
import { StoredObjectFromText } from "@runhook/core/shared/json/StoredJson"
import { finish, type Outcome } from "@runhook/core/runs/EndMoves"
import { ask } from "@runhook/core/runs/InputMoves"
import { InputRequest } from "@runhook/core/runs/InputRequest"
import { beat, claim, giveBack, isLeaseLive, leaseHeld, leave, start } from "@runhook/core/runs/LeaseMoves"
import { type HeldRun, heldRun, type Run } from "@runhook/core/runs/Run"
import { isPresent, isSeenAnew, RunnerSession, serves } from "@runhook/core/runs/sessions/RunnerSession"
import { type ClaimedRun, RunStore, SessionLimitReached, SessionNotFound } from "@runhook/core/runs/RunStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase, type Tables } from "../MemoryDatabase.ts"
import { findRun, makeMoves } from "./moves/Moves.ts"
import { byRank } from "./moves/RunTable.ts"
import { pageOf } from "../tables/Paging.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"
import { claimable, isAnyDue, nextDueAt, roomsOf } from "./ClaimRuns.ts"

const storedInput = storedAs(InputRequest)
const storedObject = storedAs(StoredObjectFromText)
const storedSession = storedAs(RunnerSession)

export const layer = Layer.effect(
  RunStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const audited = yield* makeAudited
    const { change, move } = yield* makeMoves

    return RunStore.of({
      get: (ref) => transaction(() => findRun(tables, ref)),

      openSession: ({ session: opened, presentMax }) =>
        transaction(() => {
          const ofKey = Array.from(tables.sessions.values()).filter(
            ({ runnerKeyId }) => runnerKeyId === opened.runnerKeyId
          )
          const before = ofKey.find(({ instanceId }) => instanceId === opened.instanceId)
          const present = ofKey.filter((each) => isPresent(each, opened.lastSeenAt))
          if (before === undefined && present.length >= presentMax)
            return Result.fail(new SessionLimitReached({ limit: presentMax }))
          const session =
            before === undefined ? opened : { ...opened, id: before.id, createdAt: before.createdAt }
          tables.sessions.set(session.id, session)
          return Result.succeed({
            session,
            agents: Array.from(tables.agents.values()).filter(
              ({ id, accountId }) => accountId === session.accountId && serves(session, id)
            ),
            held: heldBy(tables, session).map((run) => claimedRun(tables, run))
          })
        }),

      getSession: (ref) => transaction(() => findSession(tables, ref)),

      listSessions: ({ accountId, agentId }, page) =>
        Effect.sync(() => {
          const sessions = Array.from(tables.sessions.values()).filter(
            (session) => session.accountId === accountId && (agentId === null || serves(session, agentId))
          )
          const { hasMore, items } = pageOf(sessions, page)
          return {
            items: items.map((session) => ({ session, busy: heldBy(tables, session).length })),
            hasMore
          }
        }),

      drainSession: ({ id, accountId, at, audit }) =>
        audited((note) => {
          const session = tables.sessions.get(id)
          if (session?.accountId !== accountId) return Result.fail(new SessionNotFound({ id }))
          note(audit?.(session, at))
          const asked = storedSession({ ...session, drainRequestedAt: session.drainRequestedAt ?? at })
          tables.sessions.set(id, asked)
          return Result.succeed(asked)
        }),

      closeSession: ({ id, accountId, at }) =>
        transaction(() => {
          const session = tables.sessions.get(id)
          if (session?.accountId !== accountId) return Result.fail(new SessionNotFound({ id }))
          tables.sessions.delete(id)
          const changes = heldBy(tables, session)
            .map((run) => leave(run, at))
            .filter(({ changed }) => changed)
          // Entering no status, none of them has an event.
          for (const { run } of changes) tables.runs.put(run)
          return Result.succeed(changes)
        }),

      claim: ({ session, claimId, limit, bytesMax, startDeadline, at }) =>
        transaction(() => {
          if (!tables.sessions.has(session.id)) return Result.fail(new SessionNotFound({ id: session.id }))
          const rooms = roomsOf(tables, session)
          const repeated = heldBy(tables, session).filter(
            (run) => run.lease?.claimId === claimId && isLeaseLive(run, at)
          )
          const claimed = claimable(tables, {
            rooms,
            limit: repeated.length === 0 ? limit : 0,
            bytesMax,
            at
          }).map((run) => claim(run, { sessionId: session.id, claimId, startDeadline, at }).run)
          // Claimed work stays queued, so it has no event.
          for (const run of claimed) tables.runs.put(run)
          const claims = [...repeated, ...claimed].toSorted(byRank).map((run) => claimedRun(tables, run))
          const isEmpty = claims.length === 0
          return Result.succeed({
            claims,
            isMoreDue: !isEmpty || isAnyDue(tables, { rooms, at }),
            nextDueAt: isEmpty ? nextDueAt(tables, { rooms, at }) : null
          })
        }),

      beat: ({ session: ref, isDraining, inFlight, lease, at }) =>
        transaction(() =>
          Result.map(findSession(tables, ref), (known) => {
            const sign = { isDraining: isDraining ?? known.isDraining, lastSeenAt: at }
            const session = isSeenAnew(known, { isDraining, at }) ? { ...known, ...sign } : known
            tables.sessions.set(session.id, session)
            const held = new Map<ExecutionId, HeldRun>()
            for (const { epoch, executionId } of inFlight) {
              const run = tables.runs.get(executionId)
              if (run?.execution.accountId !== session.accountId) continue
              const after = { ...run, lease: beat(run, { sessionId: session.id, epoch, lease, at }) }
              tables.runs.put(after)
              held.set(executionId, heldRun(after))
            }
            return { session, held: [...held.values()] }
          })
        ),

      start: (options) => move(options, (run) => start(run, options)),

      finish: (options) =>
        move(options, (run) => finish(run, { ...options, outcome: storedOutcome(options.outcome) })),

      keepCheckpoint: ({ checkpoint, epoch, ...ref }) =>
        transaction(() =>
          Result.map(
            Result.flatMap(findRun(tables, ref), (run) => leaseHeld(run, epoch)),
            () => void tables.checkpoints.set(ref.id, checkpoint)
          )
        ),

      giveBack: (options) => move(options, (run) => giveBack(run, options)),

      ask: (options) =>
        change(() =>
          Result.flatMap(findRun(tables, options), (run) =>
            ask(run, { ...options, input: storedInput(options.input) })
          )
        )
    })
  })
)

const findSession = (
  tables: Tables,
  { accountId, id, runnerKeyId }: Pick<RunnerSession, "accountId" | "id" | "runnerKeyId">
): Result.Result<RunnerSession, SessionNotFound> => {
  const session = tables.sessions.get(id)
  return session?.accountId === accountId && session.runnerKeyId === runnerKeyId
    ? Result.succeed(session)
    : Result.fail(new SessionNotFound({ id }))
}

const heldBy = (tables: Tables, session: RunnerSession): ReadonlyArray<Run> => [
  ...tables.runs.index.leasedOfSession.of(session.id)
]

/** What runs refer to is never removed; that it is missing would be a defect. */
const claimedRun = (tables: Tables, run: Run): ClaimedRun => {
  const { taskId, taskVersionId } = run.execution
  const task = tables.tasks.get(taskId)?.task
  const version = tables.taskVersions.get(taskVersionId)
  if (task === undefined || version === undefined)
    throw new Error(`Execution ${run.execution.id} has lost its task`)
  return { run, task, version, checkpoint: tables.checkpoints.get(run.execution.id) ?? null }
}

const storedOutcome = (outcome: Outcome): Outcome =>
  outcome._tag === "Completed" && outcome.result !== null
    ? { ...outcome, result: storedObject(outcome.result) }
    : outcome

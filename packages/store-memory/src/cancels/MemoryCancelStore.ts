/** Jobs that cancel executions, in memory. */
import {
  afterCancels,
  asksForTheSame,
  auditOf,
  cancelBy,
  CancelJob,
  mayCancel
} from "@runhook/core/cancels/CancelJob"
import { calledOff } from "@runhook/core/jobs/Job"
import type { Run } from "@runhook/core/runs/Run"
import {
  CancelStore,
  JobKeyConflict,
  JobLimitReached,
  JobNotFound,
  type JobRef
} from "@runhook/core/cancels/CancelStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { matches } from "../executions/MemoryExecutionStore.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { makeMoves } from "../runs/moves/Moves.ts"
import { makeJobTable } from "../jobs/JobTable.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"

const storedJob = storedAs(CancelJob)

const isLaterThan =
  (id: string) =>
  ({ execution }: Run): boolean =>
    execution.id > id

type Walk = Pick<CancelJob, "accountId" | "filter" | "id" | "lastSeenId" | "scope">

export const layer = Layer.effect(
  CancelStore,
  Effect.gen(function* () {
    const { cancels, runs } = yield* MemoryDatabase
    const { several } = yield* makeMoves

    const { put, queue, running } = makeJobTable(cancels)

    const find = ({ accountId, apiKeyId, id }: JobRef): Result.Result<CancelJob, JobNotFound> => {
      const job = cancels.get(id)
      return job?.accountId === accountId && (apiKeyId === null || job.apiKeyId === apiKeyId)
        ? Result.succeed(job)
        : Result.fail(new JobNotFound({ id }))
    }

    /** The job that the same idempotency key of the same API key, or of the account's operators, has begun. */
    const madeBefore = ({ accountId, apiKeyId, idempotencyKey }: CancelJob, since: DateTime.Utc) =>
      [...cancels.values()].find(
        (other) =>
          idempotencyKey !== null &&
          other.accountId === accountId &&
          other.apiKeyId === apiKeyId &&
          other.idempotencyKey === idempotencyKey &&
          DateTime.isGreaterThan(other.createdAt, since)
      )

    /** The unfinished executions that a job has yet to look at, by rising id. */
    const unseen = ({ accountId, id, lastSeenId }: Walk): ReadonlyArray<Run> =>
      [...runs.index.unfinishedOfAccount.of(accountId).from(isLaterThan(id))]
        .filter(({ execution }) => lastSeenId === null || execution.id > lastSeenId)
        .toReversed()

    const isMeant =
      (job: Walk) =>
      ({ execution }: Run): boolean =>
        matches(job.filter)(execution) && mayCancel(job, execution)

    return CancelStore.of({
      ...queue,

      count: ({ job, seenMax }) =>
        Effect.sync(() => {
          const walk = { ...job, lastSeenId: null }
          const seen = unseen(walk)
          return seen.length > seenMax ? null : seen.filter(isMeant(walk)).length
        }),

      create: (job, { keySince, limit }) =>
        transaction(() =>
          Result.gen(function* () {
            const made = madeBefore(job, keySince)
            if (made !== undefined) {
              return asksForTheSame(made, job)
                ? { job: made, isDuplicate: true }
                : yield* Result.fail(new JobKeyConflict({ id: made.id }))
            }
            const others = running(({ accountId }) => accountId === job.accountId).map(({ id }) => id)
            if (others.length >= limit) yield* Result.fail(new JobLimitReached({ limit, running: others }))
            return { job: put(storedJob(job)), isDuplicate: false }
          })
        ),

      get: (ref) => transaction(() => find(ref)),

      cancel: (ref, at) => transaction(() => Result.map(find(ref), (job) => put(calledOff(job, at)))),

      advance: ({ id }, { at, limit, seenMax }) =>
        several((store, note) => {
          const job = cancels.get(id)
          if (job?.status !== "running") return Result.succeed(null)
          const rest = unseen(job)
          const seen = rest.slice(0, seenMax)
          const chosen = seen.filter(isMeant(job))
          const cancelled = chosen.slice(0, limit)
          const audit = auditOf(job)
          const changes = cancelled.map((run) => {
            const change = cancelBy(job)(run, at)
            note(audit?.(change.run.execution))
            return store(change)
          })
          const isFull = chosen.length > limit
          const last = (isFull ? cancelled : seen).at(-1)
          const bite = {
            cancelled: changes.length,
            skipped: 0,
            failed: 0,
            lastSeenId: last?.execution.id ?? null,
            isLast: !isFull && rest.length <= seenMax
          }
          return Result.succeed({ job: put(afterCancels(job, bite, at)), changes })
        })
    })
  })
)

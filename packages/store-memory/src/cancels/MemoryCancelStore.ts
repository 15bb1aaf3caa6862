/** Jobs that cancel executions, in memory. */
import {
  afterCancels,
  asksForTheSame,
  auditOf,
  cancelBy,
  CancelJob,
  mayCancel
} from "@runhook/core/domain/execution/CancelJob"
import { calledOff } from "@runhook/core/domain/Job"
import type { Run } from "@runhook/core/domain/run/Run"
import {
  CancelStore,
  JobKeyConflict,
  JobLimitReached,
  JobNotFound,
  type JobRef
} from "@runhook/core/ports/CancelStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import { matches } from "../executions/MemoryExecutionStore.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { makeMoves } from "../moves/Moves.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"

const storedJob = storedAs(CancelJob)

const movedOnFirst = Order.combine(
  Order.mapInput(DateTime.Order, ({ updatedAt }: CancelJob) => updatedAt),
  Order.mapInput(Order.String, ({ id }: CancelJob) => id)
)

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

    const put = (job: CancelJob): CancelJob => {
      cancels.set(job.id, job)
      return job
    }

    const find = ({ accountId, apiKeyId, id }: JobRef): Result.Result<CancelJob, JobNotFound> => {
      const job = cancels.get(id)
      return job?.accountId === accountId && (apiKeyId === null || job.apiKeyId === apiKeyId)
        ? Result.succeed(job)
        : Result.fail(new JobNotFound({ id }))
    }

    const runningOf = (isOf: (job: CancelJob) => boolean): ReadonlyArray<CancelJob> =>
      [...cancels.values()].filter((job) => job.status === "running" && isOf(job)).toSorted(movedOnFirst)

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
            const running = runningOf(({ accountId }) => accountId === job.accountId).map(({ id }) => id)
            if (running.length >= limit) yield* Result.fail(new JobLimitReached({ limit, running }))
            return { job: put(storedJob(job)), isDuplicate: false }
          })
        ),

      get: (ref) => transaction(() => find(ref)),

      cancel: (ref, at) => transaction(() => Result.map(find(ref), (job) => put(calledOff(job, at)))),

      advance: ({ at, limit, seenMax }) =>
        several((store, note) => {
          const [job] = runningOf(() => true)
          if (job === undefined) return Result.succeed(null)
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

/** Executions in memory. */
import { Execution, executionBytes } from "@runhook/core/executions/Execution"
import { reschedule } from "@runhook/core/executions/RescheduleRequest"
import { stop } from "@runhook/core/runs/EndMoves"
import { answer } from "@runhook/core/runs/InputMoves"
import { accepted, release, type Run, unchanged } from "@runhook/core/runs/Run"
import { isIdFrom } from "@runhook/core/shared/IdPrefix"
import { AccountNotFound, ConcurrencyLimitReached, NoSeatLeft } from "@runhook/core/shared/Refusals"
import { type ExecutionFilter, ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { WorkInlets } from "@runhook/core/runs/claim/WorkInlets"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase, type Tables } from "../MemoryDatabase.ts"
import { findRun, makeMoves } from "../runs/moves/Moves.ts"
import { isTakenAtOnce } from "../runs/HandOver.ts"
import { firstOf } from "../tables/Paging.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"
import { findDuplicate, remember } from "./IdempotencyKeys.ts"
import { removable, removeExecution } from "./RemoveExecution.ts"

const storedExecution = storedAs(Execution)
const storedJson = storedAs(Schema.Json)

export const layer = Layer.effect(
  ExecutionStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const inlets = yield* WorkInlets
    const audited = yield* makeAudited
    const { change, intervene } = yield* makeMoves

    return ExecutionStore.of({
      create: ({ execution, idempotency, accountMaxLive, keyMaxLive, audit }) =>
        change((note) =>
          Result.gen(function* () {
            const { apiKeyId, createdAt: at } = execution
            const made = idempotency && (yield* findDuplicate(tables, { ...idempotency, apiKeyId, at }))
            if (made) return { change: unchanged(made), isDuplicate: true }
            yield* withinLimits(tables, { execution, accountMaxLive, keyMaxLive })
            const created = accepted(storedExecution(execution))
            yield* withinSeats(tables, created.run)
            note(audit?.(created.run.execution))
            if (idempotency !== null) remember(tables, idempotency, created.run)
            return { change: created, isDuplicate: false }
          })
        ).pipe(
          Effect.map((done) => {
            const { run } = done.change
            const isTaken = !done.isDuplicate && isTakenAtOnce(tables, inlets, run)
            return { ...done, change: { ...done.change, isTaken } }
          })
        ),

      findDuplicate: (use) =>
        transaction(() => Result.map(findDuplicate(tables, use), (made) => made?.execution)),

      get: (accountId, id) =>
        transaction(() => Result.map(findRun(tables, { accountId, id }), ({ execution }) => execution)),

      list: (accountId, filter, page) =>
        Effect.sync(() => {
          const { after } = page
          const runs = tables.runs.index.ofAccount
            .of(accountId)
            .from(({ execution }) => after !== null && execution.id >= after)
          const executions = Iterable.map(runs, ({ execution }) => execution)
          return firstOf(Iterable.filter(executions, matches(filter)), page, executionBytes)
        }),

      stop: (options) => intervene(options, (run) => Result.succeed(stop(run, options))),

      release: (options) => intervene(options, (run) => Result.succeed(release(run, options.at))),

      reschedule: (options) => intervene(options, (run) => reschedule(run, options)),

      remove: ({ audit, ...ref }) =>
        audited((note) =>
          Result.map(
            Result.flatMap(findRun(tables, ref), (run) => removable(tables, run)),
            (run) => {
              note(audit?.(run.execution))
              removeExecution(tables, run)
            }
          )
        ),

      inputs: (accountId, id) =>
        transaction(() => Result.map(findRun(tables, { accountId, id }), ({ inputs }) => inputs)),

      answer: (options) =>
        intervene(options, (run) => answer(run, { ...options, value: storedJson(options.value) }))
    })
  })
)

/** Whether an execution may be created: in an account that is there, beside those that are unfinished. */
export const withinLimits = (
  tables: Tables,
  {
    execution,
    accountMaxLive,
    keyMaxLive
  }: Omit<Parameters<ExecutionStore["Service"]["create"]>[0], "audit" | "idempotency">
): Result.Result<void, AccountNotFound | ConcurrencyLimitReached> => {
  const { accountId } = execution
  if (!tables.accounts.has(accountId)) return Result.fail(new AccountNotFound({ id: accountId }))
  const { unfinishedOfAccount, unfinishedOfKey } = tables.runs.index
  if (unfinishedOfAccount.of(execution.accountId).size >= accountMaxLive) {
    return Result.fail(new ConcurrencyLimitReached({ scope: "account", limit: accountMaxLive }))
  }
  return keyMaxLive !== null && unfinishedOfKey.of(execution.apiKeyId).size >= keyMaxLive
    ? Result.fail(new ConcurrencyLimitReached({ scope: "key", limit: keyMaxLive }))
    : Result.succeed(undefined)
}

/** A seat for it, beside those that are due and wait for one. */
export const withinSeats = ({ runs }: Tables, run: Run): Result.Result<void, NoSeatLeft> => {
  const { concurrency, createdAt } = run.execution
  if (concurrency?.policy !== "reject") return Result.void
  const { limit } = concurrency
  const due = Iterable.filter(runs.unseatedWith(run), ({ dueAt }) =>
    DateTime.isLessThanOrEqualTo(dueAt, createdAt)
  )
  const current = Math.min(limit, runs.seatsOf(run).size + Iterable.size(Iterable.take(due, limit)))
  return current >= limit ? Result.fail(new NoSeatLeft({ limit, current })) : Result.void
}

export const matches =
  (filter: ExecutionFilter) =>
  (execution: Execution): boolean =>
    (filter.statuses === null || filter.statuses.includes(execution.status)) &&
    (filter.taskId === null || filter.taskId === execution.taskId) &&
    (filter.agentId === null || filter.agentId === execution.agentId) &&
    (filter.reference === null || filter.reference === execution.reference) &&
    (filter.scheduleId === null || filter.scheduleId === execution.scheduleId) &&
    (filter.find === null ||
      isIdFrom(execution.id, filter.find) ||
      (execution.reference !== execution.id && execution.reference.startsWith(filter.find))) &&
    (filter.from === null || DateTime.isGreaterThanOrEqualTo(execution.createdAt, filter.from)) &&
    (filter.to === null || DateTime.isLessThanOrEqualTo(execution.createdAt, filter.to))

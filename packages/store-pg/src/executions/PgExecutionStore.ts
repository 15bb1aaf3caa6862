/** Executions in PostgreSQL, as integrators see them. */
import type { Audit } from "@runhook/core/audit/AuditEntry"
import type { Execution } from "@runhook/core/executions/Execution"
import { reschedule } from "@runhook/core/executions/RescheduleRequest"
import { isTerminal } from "@runhook/core/executions/ExecutionStatus"
import { EventId } from "@runhook/core/shared/Ids"
import { stop } from "@runhook/core/runs/EndMoves"
import { checkScope, type Scoped } from "@runhook/core/keys/KeyScope"
import { answer } from "@runhook/core/runs/InputMoves"
import { release, unchanged } from "@runhook/core/runs/Run"
import {
  AccountNotFound,
  ConcurrencyLimitReached,
  ExecutionNotFound,
  NotRemovable
} from "@runhook/core/shared/Refusals"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { isRefusable } from "@runhook/core/executions/create/InOrder"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { type ExecutionRef, PgRuns, type Verb } from "../runs/moves/PgRuns.ts"
import { ExecutionRemoval } from "../retention/ExecutionRemoval.ts"
import { smallint, uuid } from "../sql/Parameters.ts"
import { idempotentOrDefect, inOneTransaction, orDefect } from "../sql/SqlErrors.ts"
import { makeRequireSeat } from "../runs/seats/RequireSeat.ts"
import { Creates, madeBy } from "./create/Creates.ts"
import { makeFindDuplicate } from "./create/IdempotencyKeys.ts"
import { makeListExecutions } from "./list/ListExecutions.ts"

/** Tries of a create while others use its idempotency key and lose it. */
const triesMax = 10

interface MoveRequest extends ExecutionRef, Scoped {
  readonly at: DateTime.Utc
  readonly audit?: Audit<[execution: Execution]> | undefined
}

export const layer = Layer.effect(
  ExecutionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const buckets = yield* Buckets
    const runs = yield* PgRuns
    const note = yield* makeNote
    const creates = yield* Creates
    const requireSeat = yield* makeRequireSeat
    const random = yield* SecureRandom
    const nextEventId = Effect.map(random.uuidV7(), (id) => EventId.make(id))
    const findDuplicate = yield* makeFindDuplicate
    const list = yield* makeListExecutions
    const removal = yield* ExecutionRemoval

    const move = <E>({ accountId, at, audit, id, scope }: MoveRequest, verb: Verb<E>) =>
      orDefect(
        runs.move({ ref: { accountId, id }, at, audit }, (run, moment) =>
          Result.flatMap(checkScope({ scope }, run.execution), () => verb(run, moment))
        )
      )

    const create = Effect.fnUntraced(function* (options: Parameters<ExecutionStore["Service"]["create"]>[0]) {
      const { accountMaxLive, execution, idempotency, keyMaxLive } = options
      const { accountId, apiKeyId, createdAt: at } = execution
      const bucket = yield* buckets.of(accountId)
      const creation = { ...options, eventId: yield* nextEventId }
      for (let tries = 0; tries < triesMax; tries++) {
        const created = yield* creates.create(bucket, creation)
        if (created._tag === "Made" || created._tag === "Found") {
          const isHandedOver = created._tag === "Made" && created.begunAt !== null
          const isTaken = created._tag === "Made" && created.taken !== undefined
          const hasListeners = created._tag === "Made" && created.hasListeners
          return { change: { ...madeBy(creation), isHandedOver, isTaken, hasListeners }, isDuplicate: false }
        }
        const made = idempotency && (yield* findDuplicate({ ...idempotency, accountId, apiKeyId, at }))
        if (made) return { change: unchanged(made), isDuplicate: true }
        if (created._tag === "Refused") {
          if (created.by === "removed") return yield* new AccountNotFound({ id: accountId })
          return yield* created.by === "key" && keyMaxLive !== null
            ? new ConcurrencyLimitReached({ scope: "key", limit: keyMaxLive })
            : new ConcurrencyLimitReached({ scope: "account", limit: accountMaxLive })
        }
        // The key expired before its execution could be read.
      }
      return yield* Effect.die(new Error(`Execution ${execution.id} was neither stored nor made before`))
    })

    const createSeated = Effect.fnUntraced(function* (options: Parameters<typeof create>[0]) {
      const { execution, idempotency } = options
      const { accountId, apiKeyId, createdAt: at } = execution
      return yield* requireSeat(execution, yield* buckets.of(accountId)).pipe(
        Effect.matchEffect({
          onSuccess: () => create(options),
          // Its own first call may have the seat.
          onFailure: Effect.fnUntraced(function* (refusal) {
            const made = idempotency && (yield* findDuplicate({ ...idempotency, accountId, apiKeyId, at }))
            return made ? { change: unchanged(made), isDuplicate: true } : yield* refusal
          })
        })
      )
    })

    return ExecutionStore.of({
      create: flow(({ audit, ...options }) => {
        // An audited create gets a transaction of its own, and so does one that locks its key; all others share theirs.
        if (audit === undefined && !isRefusable(options.execution)) return create(options)
        const noting = Effect.tap(createSeated(options), ({ change, isDuplicate }) =>
          note(isDuplicate ? undefined : audit?.(change.run.execution))
        )
        return sql.withTransaction(noting)
      }, orDefect),

      findDuplicate: Effect.fnUntraced(function* (use) {
        const run = yield* findDuplicate(use)
        return run?.execution
      }, idempotentOrDefect),

      get: Effect.fnUntraced(function* (accountId, id) {
        const { execution } = yield* runs.get({ accountId, id })
        return execution
      }, idempotentOrDefect),

      list: flow(list, idempotentOrDefect),

      stop: (options) => move(options, (run, at) => Result.succeed(stop(run, { ...options, at }))),

      release: (options) => move(options, (run, at) => Result.succeed(release(run, at))),

      reschedule: (options) => move(options, (run, at) => reschedule(run, { ...options, at })),

      remove: Effect.fnUntraced(function* ({ accountId, audit, id }) {
        const { execution } = yield* runs.get({ accountId, id })
        if (!isTerminal(execution.status)) return yield* new NotRemovable({ id, reason: "unfinished" })
        const bucket = yield* buckets.of(accountId)
        const locked = yield* sql`
          SELECT FROM executions WHERE bucket = ${smallint(bucket)} AND id = ${uuid(id)} FOR UPDATE`
        if (locked.length === 0) return yield* new ExecutionNotFound({ id })
        const removed = yield* removal.remove({
          bucket,
          accountId,
          ids: [id],
          settled: ["cancelled", "dead", "delivered"]
        })
        if (removed.length === 0) return yield* new NotRemovable({ id, reason: "callbacks_pending" })
        yield* note(audit?.(execution))
      }, inOneTransaction(sql)),

      inputs: Effect.fnUntraced(function* (accountId, id) {
        const { inputs } = yield* runs.get({ accountId, id })
        return inputs
      }, idempotentOrDefect),

      answer: (options) => move(options, (run, at) => answer(run, { ...options, at }))
    })
  })
)

/** Executions in PostgreSQL, as integrators see them. */
import { CurrentActor, isAdministrator } from "@runhook/core/domain/account/Actor"
import {
  executionCreated,
  executionReleased,
  executionRescheduled,
  executionStopped,
  inputAnswered
} from "@runhook/core/domain/audit/ActivityEvents"
import type { AuditEvent } from "@runhook/core/domain/audit/AuditEntry"
import type { Execution } from "@runhook/core/domain/execution/Execution"
import { reschedule } from "@runhook/core/domain/execution/Rescheduling"
import { EventId } from "@runhook/core/domain/Ids"
import { stop } from "@runhook/core/domain/run/EndMoves"
import { answer } from "@runhook/core/domain/run/InputMoves"
import { release, unchanged } from "@runhook/core/domain/run/Run"
import { ConcurrencyLimitReached, ExecutionStore } from "@runhook/core/ports/ExecutionStore"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { makeEntries, makeNote } from "../audit/AuditEntries.ts"
import type { Verb } from "../moves/Move.ts"
import { type ExecutionRef, PgRuns } from "../moves/PgRuns.ts"
import { orDefect, idempotentOrDefect } from "../sql/SqlErrors.ts"
import { Creates } from "./create/Creates.ts"
import { madeBy } from "./create/Creation.ts"
import { makeFindDuplicate } from "./create/IdempotencyKeys.ts"
import { makeListExecutions } from "./list/ListExecutions.ts"

/** How often a create is tried whose idempotency key others use and forget meanwhile. */
const triesMax = 3

export const layer = Layer.effect(
  ExecutionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const buckets = yield* Buckets
    const runs = yield* PgRuns
    const note = yield* makeNote
    const entries = yield* makeEntries
    const creates = yield* Creates
    const random = yield* SecureRandom
    const nextEventId = Effect.map(random.uuidV7(), (id) => EventId.make(id))
    const findDuplicate = yield* makeFindDuplicate
    const list = yield* makeListExecutions

    /** A move on behalf of whoever asks for it, with the entry that tells of it, if one does. */
    const intervene = Effect.fnUntraced(function* <E>(
      options: ExecutionRef & { readonly at: DateTime.Utc },
      verb: Verb<E>,
      event: (execution: Execution) => AuditEvent
    ) {
      const { accountId, at, id } = options
      const entryOf = yield* entries
      return yield* runs.move(
        { ref: { accountId, id }, at, audit: (execution) => entryOf(event(execution)) },
        verb
      )
    }, orDefect)

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
          return { change: { ...madeBy(creation), isHandedOver, isTaken }, isDuplicate: false }
        }
        const made = idempotency && (yield* findDuplicate({ ...idempotency, accountId, apiKeyId, at }))
        if (made) return { change: unchanged(made), isDuplicate: true }
        if (created._tag === "Refused") {
          return yield* created.by === "key" && keyMaxLive !== null
            ? new ConcurrencyLimitReached({ scope: "key", limit: keyMaxLive })
            : new ConcurrencyLimitReached({ scope: "account", limit: accountMaxLive })
        }
        // The key's time was over before what it has made could be read.
      }
      return yield* Effect.die(new Error(`Execution ${execution.id} was neither stored nor made before`))
    })

    return ExecutionStore.of({
      create: Effect.fnUntraced(function* (options) {
        // A transaction of its own for those who are told of: all others share theirs.
        if (!isAdministrator(yield* CurrentActor)) return yield* create(options)
        const noting = Effect.tap(create(options), ({ change, isDuplicate }) =>
          note(isDuplicate ? undefined : executionCreated(change.run.execution))
        )
        return yield* sql.withTransaction(noting)
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

      stop: (options) =>
        intervene(options, (run, at) => Result.succeed(stop(run, { ...options, at })), executionStopped),

      release: (options) =>
        intervene(options, (run, at) => Result.succeed(release(run, at)), executionReleased),

      reschedule: (options) =>
        intervene(options, (run, at) => reschedule(run, { ...options, at }), executionRescheduled),

      inputs: Effect.fnUntraced(function* (accountId, id) {
        const { inputs } = yield* runs.get({ accountId, id })
        return inputs
      }, idempotentOrDefect),

      answer: (options) =>
        intervene(
          options,
          (run, at) => answer(run, { ...options, at }),
          (execution) => inputAnswered(execution, options.inputId)
        )
    })
  })
)

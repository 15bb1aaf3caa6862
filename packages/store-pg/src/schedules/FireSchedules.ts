/**
 * Fires schedules: those of one bucket in one transaction. It locks the schedules first, in the order of their ids, then
 * the executions that it cancels, then what a create locks.
 */
import type { Execution } from "@runhook/core/executions/Execution"
import { isTerminal } from "@runhook/core/executions/ExecutionStatus"
import { EventId, ExecutionId, ScheduleId } from "@runhook/core/shared/Ids"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { stop } from "@runhook/core/runs/EndMoves"
import type { Change } from "@runhook/core/runs/Run"
import { type Came, cancelledForNext, overlapLookedAt } from "@runhook/core/schedules/Schedule"
import { AccountNotFound, ConcurrencyLimitReached } from "@runhook/core/shared/Refusals"
import type { Fired, Firing, ScheduledCreate } from "@runhook/core/schedules/ScheduleStore"
import * as Array from "effect/Array"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { byBucket } from "../accounts/EachBucket.ts"
import { Buckets } from "../accounts/Buckets.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { type Created, type Creation, Creates, madeBy } from "../executions/create/Creates.ts"
import { PgRuns } from "../runs/moves/PgRuns.ts"
import { makeRequireSeat } from "../runs/seats/RequireSeat.ts"
import { integer, smallint, texts, uuids } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded, upkeepOrDefect } from "../sql/SqlErrors.ts"
import { key, state } from "./ScheduleRow.ts"

const LockedRow = Schema.Struct({ id: ScheduleId, revision: Schema.Int })
const UnfinishedRow = Schema.Struct({ scheduleId: ScheduleId, id: ExecutionId })

/** A firing that is to create an execution. */
interface Creating extends Firing {
  readonly wanted: ScheduledCreate
}

const isCreating = (firing: Firing): firing is Creating => "execution" in firing.wanted

const finished = ExecutionStatus.literals.filter(isTerminal)

export const makeFireSchedules = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const creates = yield* Creates
  const note = yield* makeNote
  const random = yield* SecureRandom
  const runs = yield* PgRuns
  const requireSeat = yield* makeRequireSeat
  const nextEventId = Effect.map(random.uuidV7(), (id) => EventId.make(id))

  /** Those whose schedule is still as it was. Nobody else fires or changes it until the end of the transaction. */
  const lock = Effect.fnUntraced(function* (bucket: number, firings: ReadonlyArray<Firing>) {
    const accounts = uuids(firings.map(({ schedule }) => schedule.accountId))
    const locked = yield* decoded(LockedRow)(sql`
      SELECT s.id, s.revision
      FROM schedules s
      WHERE s.bucket = ${smallint(bucket)} AND s.account_id = ANY (${accounts})
        AND s.id = ANY (${uuids(firings.map(({ schedule }) => schedule.id))})
      ORDER BY s.id
      FOR UPDATE`)
    const revisions = new Map(locked.map(({ id, revision }) => [id, revision]))
    return firings.filter(({ schedule }) => revisions.get(schedule.id) === schedule.revision)
  })

  /** The unfinished among the latest executions of each schedule whose policy asks for them. */
  const unfinishedOf = Effect.fnUntraced(function* (bucket: number, firings: ReadonlyArray<Firing>) {
    const ids = firings.flatMap(({ schedule }) => (schedule.overlap === "allow" ? [] : [schedule.id]))
    const found =
      ids.length === 0
        ? []
        : yield* decoded(UnfinishedRow)(sql`
            SELECT asked.id AS "scheduleId", e.id
            FROM unnest(${uuids(ids)}) AS asked (id)
            CROSS JOIN LATERAL (
              SELECT r.id
              FROM execution_requests r
              WHERE r.schedule_id = asked.id AND r.schedule_id IS NOT NULL
                AND ${buckets.within(bucket)("r")}
              ORDER BY r.id DESC
              LIMIT ${integer(overlapLookedAt)}
            ) AS r
            CROSS JOIN LATERAL (
              SELECT e.id
              FROM executions e
              WHERE e.bucket = ${smallint(bucket)} AND e.id = r.id AND e.status <> ALL (${texts(finished)})
              LIMIT 1
            ) AS e`)
    return Array.groupBy(found, ({ scheduleId }) => scheduleId)
  })

  /** None if it was removed meanwhile. */
  const cancel = ({ at, schedule }: Firing, id: ExecutionId, since: DateTime.Utc) =>
    runs
      .move({ ref: { accountId: schedule.accountId, id }, at }, (run, moved) =>
        Result.succeed(stop(run, { ...cancelledForNext, at: moved, since }))
      )
      .pipe(
        Effect.map((change) => [change]),
        Effect.catchTag("ExecutionNotFound", () => Effect.succeed([]))
      )

  const cameOf = (
    { accountMaxLive, execution, keyMaxLive, refused }: ScheduledCreate,
    created: Created | undefined
  ): Came => {
    if (created?._tag !== "Refused") return { outcome: "created", executionId: execution.id }
    if (created.by === "removed") {
      const error = refused(new AccountNotFound({ id: execution.accountId }))
      return { outcome: "refused", error, isLast: true }
    }
    const limit =
      created.by === "key" && keyMaxLive !== null
        ? new ConcurrencyLimitReached({ scope: "key", limit: keyMaxLive })
        : new ConcurrencyLimitReached({ scope: "account", limit: accountMaxLive })
    return { outcome: "refused", error: refused(limit), isLast: false }
  }

  const fireLocked = Effect.fnUntraced(function* (bucket: number, firings: ReadonlyArray<Firing>) {
    const creating = firings.filter(isCreating)
    const unfinished = yield* unfinishedOf(bucket, creating)
    const others = ({ schedule }: Firing) => unfinished[schedule.id] ?? []
    const skips = (firing: Firing) => firing.schedule.overlap === "skip" && others(firing).length > 0
    const cancelled = new Map<Firing, ReadonlyArray<Change>>()
    const creations = new Map<Firing, Creation>()
    const seatless = new Map<Firing, Came>()
    const sharing = ({ accountId, concurrency }: Execution) =>
      [...creations.values()].filter(
        ({ execution }) =>
          execution.status === "queued" &&
          execution.accountId === accountId &&
          execution.concurrency?.key === concurrency?.key
      ).length
    for (const firing of creating.filter((each) => !skips(each))) {
      const { execution, refused, ...options } = firing.wanted
      const ended = yield* Effect.forEach(others(firing), ({ id }) => cancel(firing, id, execution.createdAt))
      cancelled.set(firing, ended.flat())
      const refusal = yield* requireSeat(execution, bucket, sharing(execution)).pipe(
        Effect.asVoid,
        Effect.catchTag("NoSeatLeft", (error) => Effect.succeed(error))
      )
      if (refusal !== undefined)
        seatless.set(firing, { outcome: "refused", error: refused(refusal), isLast: false })
      else creations.set(firing, { ...options, execution, idempotency: null, eventId: yield* nextEventId })
    }
    const created = yield* creates.join(bucket, [...creations.values()])
    return firings.map((firing): Fired => {
      const { becomes, wanted } = firing
      const told = (came: Came, changes: ReadonlyArray<Change>): Fired => ({
        schedule: becomes(came),
        came,
        changes
      })
      if ("outcome" in wanted) return told(wanted, [])
      const creation = creations.get(firing)
      if (creation === undefined)
        return told(seatless.get(firing) ?? { outcome: "skipped" }, cancelled.get(firing) ?? [])
      const outcome = created.get(creation)
      const came = cameOf(wanted, outcome)
      const hasListeners = outcome?._tag === "Made" && outcome.hasListeners
      const made = came.outcome === "created" ? [{ ...madeBy(creation), hasListeners }] : []
      return told(came, [...(cancelled.get(firing) ?? []), ...made])
    })
  })

  const store = Effect.fnUntraced(function* (bucket: number, fired: ReadonlyArray<Fired>) {
    const schedules = fired.map(({ schedule }) => schedule)
    const set = Object.keys(state).map((name) => `${name} = fired.${name}`)
    yield* sql`
      UPDATE schedules s
      SET ${sql.literal(set.join(", "))}
      FROM ${rows("fired", schedules, { ...key, ...state })}
      WHERE s.bucket = ${smallint(bucket)}
        AND s.account_id = ANY (${uuids(schedules.map(({ accountId }) => accountId))})
        AND s.id = ANY (${uuids(schedules.map(({ id }) => id))})
        AND s.account_id = fired.account_id AND s.id = fired.id`
  })

  const fireTogether = Effect.fnUntraced(function* (bucket: number, asked: ReadonlyArray<Firing>) {
    const firings = yield* lock(bucket, asked)
    if (firings.length === 0) return []
    const fired = yield* fireLocked(bucket, firings)
    yield* store(bucket, fired)
    for (const [place, { came, schedule }] of fired.entries())
      yield* note(firings[place]?.audit?.(schedule, came))
    return fired
  })

  return Effect.fnUntraced(function* (firings: ReadonlyArray<Firing>) {
    const placed = yield* Effect.forEach(firings, (firing) =>
      Effect.map(buckets.of(firing.schedule.accountId), (bucket) => ({ bucket, firing }))
    )
    const fired = yield* Effect.forEach(byBucket(placed), (ofBucket) =>
      upkeepOrDefect(
        sql.withTransaction(
          fireTogether(
            ofBucket[0].bucket,
            ofBucket.map(({ firing }) => firing)
          )
        )
      )
    )
    return fired.flat()
  })
})

/** What is written of executions that are created, each into one table. */
import { deliveryLifetime } from "@runhook/core/domain/delivery/Delivery"
import * as DateTime from "effect/DateTime"
import { begunColumns, outgoingQueue } from "../../deliveries/queue/OutgoingEvents.ts"
import type { Insert } from "../../sql/Inserts.ts"
import { integer, timestamptz } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import type { InBucket } from "../../sql/Statement.ts"
import { type Asked, columns, hasKey, keyLifetime, requestColumns, seatColumns } from "./Creation.ts"
import { takenColumns } from "./TakenAtOnce.ts"

/** What is made if all is as it was taken for: at what moment, and its event begun by the place that is kept for it. */
export interface Made extends Asked {
  readonly at: DateTime.Utc
}

const dueAt = ({ at, execution: { scheduledAt } }: Made): DateTime.Utc =>
  scheduledAt === null ? at : DateTime.max(at, scheduledAt)

const isDue = (made: Made): boolean => DateTime.isLessThanOrEqualTo(dueAt(made), made.at)

/** With its moments. */
export const timedColumns: Columns<Made> = {
  ...columns,
  ...seatColumns,
  ...takenColumns,
  now_at: timestamptz(({ at }) => at),
  due_at: timestamptz(dueAt),
  told_until: timestamptz(({ at }) => DateTime.addDuration(at, deliveryLifetime)),
  key_until: timestamptz((made) => DateTime.add(made.at, { milliseconds: keyLifetime(made) ?? 0 }))
}

/** With what it counts, and what it is for the poll and the place that it has. */
export const madeColumns: Columns<Made> = {
  ...timedColumns,
  one: integer(() => 1),
  /** Known by then to no process. */
  slot: integer(() => null),
  taken_at: timestamptz(({ taken }) => taken?.execution.updatedAt ?? null),
  leased_until: timestamptz(({ taken }) => taken?.lease?.expiresAt ?? null),
  taken_started_at: timestamptz(({ taken }) => taken?.execution.startedAt ?? null),
  taken_deadline_at: timestamptz(({ taken }) => taken?.deadlineAt ?? null),
  taken_start_by: timestamptz(({ execution, taken }) =>
    taken?.execution.attempt === 0 ? execution.expiresAt : null
  ),
  ...begunColumns(({ at, place }: Made) => ({ at, place, isBegun: place !== undefined }))
}

/** Each as it is called, from a column of the same name. */
const same = (names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, name]))

const isQueued = ({ execution }: Asked): boolean => execution.status === "queued"

export const isTaken = ({ taken }: Asked): boolean => taken !== undefined

const hasEvent = ({ change }: Asked): boolean => change.event !== null

/** Whether its event begins in the place that is kept for it. */
export const isBegun = (made: Asked): boolean => hasEvent(made) && made.place !== undefined

export const isRepeatable = ({ idempotency }: Asked): boolean => idempotency !== null

interface Part {
  readonly isOf: (made: Made) => boolean
  readonly inserts: Insert<InBucket>
}

const part = (inserts: Insert<InBucket>, isOf: Part["isOf"] = () => true): Part => ({ isOf, inserts })

const requested = same([...Object.keys(requestColumns), "bytes", "idempotency_key"])

const begun = same(["attempts", "attempted_at", "next_attempt_at"])

/** Its place in a queue. */
const queued = { ...same(["agent_id", "rank", "due_at"]), execution_id: "id" }

const unkeyed = (keyed: boolean): string => (keyed ? " AND concurrency_key IS NULL" : "")

const ofKey = { ...queued, ...same(["account_id", "seat_rank", "seats"]), key: "concurrency_key" }

const waitsForSeat = part(
  {
    as: "unseated",
    into: "concurrency_queue",
    of: "status = 'queued' AND concurrency_key IS NOT NULL",
    row: { ...ofKey, look_at: "due_at" }
  },
  (made) => isQueued(made) && hasKey(made)
)

const waitsForCaller = part(
  {
    as: "asleep",
    into: "concurrency_queue",
    of: "status <> 'queued' AND concurrency_key IS NOT NULL",
    row: { ...ofKey, look_at: "'infinity'::timestamptz(3)" }
  },
  (made) => !isQueued(made) && hasKey(made)
)

/** In the order in which they lock. What no poll has got is in the relation of that name; `keyed`, if some share seats. */
export const inserts = (left: string, keyed: boolean): ReadonlyArray<Part> => [
  // What never changes about it,
  part({ as: "requested", into: "execution_requests", row: requested }),
  // what happens to it,
  part(
    {
      as: "stored",
      into: "executions",
      from: left,
      row: {
        ...same(["account_id", "id", "agent_id", "api_key_id", "priority", "status", "due_at"]),
        updated_at: "created_at",
        start_by: "expires_at"
      }
    },
    (made) => !isTaken(made)
  ),
  // where it is listed,
  part({
    as: "listed",
    into: "execution_status",
    row: { ...same(["account_id", "agent_id", "task_id", "status"]), execution_id: "id" }
  }),
  // and its first event. That of an execution that is queued at once is not stored: its request says as much.
  part(
    {
      as: "happened",
      into: "execution_events",
      of: "status <> 'queued'",
      row: {
        execution_id: "id",
        status: "status",
        number: "1",
        epoch: "0",
        at: "created_at",
        type: "'created'",
        attempt: "0"
      }
    },
    (made) => !isQueued(made)
  ),
  // It is in a queue: that of its concurrency key, until it has a seat, and while it is held;
  ...(keyed ? [waitsForSeat, waitsForCaller] : []),
  // that of ready runs if it is due,
  part(
    {
      as: "ready",
      into: "ready_queue",
      from: left,
      of: `status = 'queued' AND due_at <= now_at${unkeyed(keyed)}`,
      row: queued
    },
    (made) => isQueued(made) && isDue(made) && !isTaken(made) && !hasKey(made)
  ),
  // that of deferred runs if not.
  part(
    {
      as: "delayed",
      into: "delayed_queue",
      of: `status = 'queued' AND due_at > now_at${unkeyed(keyed)}`,
      row: queued
    },
    (made) => isQueued(made) && !isDue(made) && !hasKey(made)
  ),
  // The callbacks: as deliveries,
  part(
    {
      as: "told",
      into: "webhook_deliveries",
      from: "outgoing",
      row: {
        ...same(["account_id", "api_key_id", "request_id", "created_at"]),
        ...begun,
        id: "event_id",
        execution_id: "id",
        revision: "1",
        type: "event",
        url: "callback_url",
        reference: "told_reference",
        execution_status: "status",
        state: "'pending'",
        round: "1",
        expires_at: "told_until"
      }
    },
    hasEvent
  ),
  // and in the queue, or with the dispatcher that has kept a place.
  part({ as: "telling", into: "webhook_queue", from: "outgoing", row: outgoingQueue }, hasEvent)
]

const event = { execution_id: "id", epoch: "1", at: "taken_at" }

/** What a poll has got, with its lease, and its events since. */
export const insertsOfTaken: ReadonlyArray<Part> = [
  part(
    {
      as: "leased",
      into: "executions",
      from: "taken",
      row: {
        ...same(["account_id", "id", "agent_id", "api_key_id", "priority", "due_at"]),
        ...same(["slot", "session_id", "claim_id"]),
        status: "taken_status",
        attempt: "taken_attempt",
        revision: "taken_revision",
        epoch: "1",
        attempt_epoch: "1",
        updated_at: "taken_at",
        lease_expires_at: "leased_until",
        started_at: "taken_started_at",
        deadline_at: "taken_deadline_at",
        start_by: "taken_start_by"
      }
    },
    isTaken
  ),
  part(
    {
      as: "since_claimed",
      into: "execution_events",
      from: "taken",
      row: { ...event, number: "2", status: "'queued'", type: "'claimed'", attempt: "0" }
    },
    isTaken
  ),
  part(
    {
      as: "since_started",
      into: "execution_events",
      from: "taken",
      of: "taken_attempt > 0",
      row: { ...event, number: "3", status: "'running'", type: "'started'", attempt: "1" }
    },
    ({ taken }) => taken !== undefined && taken.execution.attempt > 0
  )
]

/** Adds what is made to the counts of unfinished executions. */
export const addedCounts = part({
  as: "recounted",
  into: "live_counts AS c",
  row: { ...same(["account_id", "api_key_id"]), live: "one" },
  summed: ["live"],
  onConflict: "ON CONFLICT (bucket, account_id, api_key_id) DO UPDATE SET live = c.live + excluded.live"
})

/**
 * The idempotency keys of what is made. A key whose time is over may be used again.
 * Always in one order: two statements with the same keys would otherwise wait for
 * each other.
 */
const keys = {
  as: "remembered",
  into: "idempotency_keys AS k",
  row: {
    ...same(["api_key_id", "fingerprint"]),
    key: "idempotency_key",
    execution_id: "id",
    created_at: "now_at",
    expires_at: "key_until"
  },
  order: `api_key_id, idempotency_key COLLATE "C"`
}

const isOver = "k.expires_at <= excluded.created_at"

/** What becomes of a key that is there. */
const usedAnew = (execution: string) => `
  ON CONFLICT (bucket, api_key_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, execution_id = ${execution},
      created_at = excluded.created_at, expires_at = excluded.expires_at`

/** One that another transaction uses at this moment is left alone, and not returned. */
export const freeKeys: Insert<InBucket> = {
  ...keys,
  of: "refused_by IS NULL AND idempotency_key IS NOT NULL",
  onConflict: `${usedAnew("excluded.execution_id")}
    WHERE ${isOver}
  RETURNING k.execution_id`
}

/** One that another transaction uses at this moment is an error, which says so. */
export const judgedKeys = part(
  {
    ...keys,
    onConflict: usedAnew(
      `CASE WHEN ${isOver} THEN excluded.execution_id ELSE (excluded.execution_id::text || ' known')::uuid END`
    )
  },
  isRepeatable
)

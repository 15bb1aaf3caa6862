/** What is in the way of executions that cancel others of their key. */
import { ExecutionId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { integer, smallint, uuids } from "../../sql/Parameters.ts"
import { decoded } from "../../sql/SqlErrors.ts"

/** The most executions that are named at once. */
export const inTheWayMax = 1_000

const InTheWayRow = Schema.Struct({ id: ExecutionId, of: ExecutionId })
const SinceRow = Schema.Struct({ of: ExecutionId, since: Schema.DateTimeUtc })

export const makeInTheWay = Effect.gen(function* () {
  const sql = yield* SqlClient

  /**
   * What is older than those that are due and cancel others, but for the newest of it that they leave: whether at work,
   * waiting, held or awaiting input. Of each rank, the age is an index.
   */
  const find = (ofKey: (table: "q" | "s") => Fragment) => {
    const olderIn = (rank: number) => sql`(
      SELECT q.execution_id FROM concurrency_queue q
      WHERE ${ofKey("q")} AND q.seat_rank = ${smallint(rank)} AND q.execution_id < c.execution_id
      ORDER BY q.execution_id DESC
      LIMIT c.seats - 1 + ${integer(inTheWayMax)}
    )`
    return decoded(InTheWayRow)(sql`
      SELECT o.execution_id AS id, c.execution_id AS of
      FROM (
        SELECT q.execution_id, q.seats FROM concurrency_queue q
        WHERE ${ofKey("q")} AND q.seat_rank = 0 AND q.look_at IS NULL
        ORDER BY q.execution_id DESC
        LIMIT ${integer(inTheWayMax)}
      ) AS c
      CROSS JOIN LATERAL (
        SELECT a.execution_id
        FROM (
          (
            SELECT s.execution_id FROM concurrency_seats s
            WHERE ${ofKey("s")} AND NOT s.is_left AND s.execution_id < c.execution_id
            ORDER BY s.execution_id DESC
            LIMIT c.seats - 1 + ${integer(inTheWayMax)}
          )
          UNION ALL ${olderIn(0)}
          UNION ALL ${olderIn(1)}
        ) AS a
        ORDER BY a.execution_id DESC
        OFFSET c.seats - 1
      ) AS o
      LIMIT ${integer(inTheWayMax)}`)
  }

  /** When they fell due. By the store's clock, what was due at once may have been so only after its creation. */
  const dueSince = (bucket: number, ids: ReadonlyArray<ExecutionId>) =>
    decoded(SinceRow)(sql`
      SELECT e.id AS of, CASE WHEN e.revision = 1 THEN greatest(r.created_at, r.scheduled_at) ELSE e.due_at END AS since
      FROM unnest(${uuids(ids)}) AS asked (id)
      CROSS JOIN LATERAL (
        SELECT * FROM executions e WHERE e.bucket = ${smallint(bucket)} AND e.id = asked.id LIMIT 1
      ) AS e
      CROSS JOIN LATERAL (
        SELECT * FROM execution_requests r WHERE r.bucket = ${smallint(bucket)} AND r.id = asked.id LIMIT 1
      ) AS r`)

  /** What is to be cancelled, since when, and those that cancel it. */
  return Effect.fnUntraced(function* (bucket: number, ofKey: (table: "q" | "s") => Fragment) {
    const pairs = yield* find(ofKey)
    const cancelling = new Set(pairs.map((pair) => pair.of))
    const due = cancelling.size === 0 ? [] : yield* dueSince(bucket, [...cancelling])
    const times = new Map(due.map((each) => [each.of, each.since]))
    const cancelled = new Map<ExecutionId, DateTime.Utc>()
    for (const { id, of: by } of pairs) {
      const since = times.get(by)
      if (since !== undefined) cancelled.set(id, DateTime.min(since, cancelled.get(id) ?? since))
    }
    return { cancelled, cancelling }
  })
})

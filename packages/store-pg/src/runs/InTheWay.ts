/** What is in the way of executions that cancel others of their key. */
import { ExecutionId } from "@runhook/core/domain/Ids"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { integer, smallint } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"

/** The most executions that are named at once. */
const inTheWayMax = 1_000

const InTheWayRow = Schema.Struct({ id: ExecutionId, of: ExecutionId })

/**
 * What is older than those that are due and cancel others, but for the newest of it that they leave: whether at work,
 * waiting, held or awaiting input. Of each rank, the age is an index.
 */
export const makeInTheWay = Effect.gen(function* () {
  const sql = yield* SqlClient
  return (ofKey: (table: "q" | "s") => Fragment) => {
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
})

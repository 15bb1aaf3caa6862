/** The logs of executions. Lines are numbered under a lock of their execution, so two requests never number the same. */
import { ExecutionId } from "@runhook/core/shared/Ids"
import { LogLine, logLinesMax } from "@runhook/core/runs/LogLine"
import type { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import {
  type Column,
  inBucket,
  integer,
  smallint,
  text,
  timestamptz,
  uuid,
  uuids
} from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { fixed, type InBucket, statement } from "../sql/Statement.ts"

/** An execution that may be written to, and the last line of its log. */
const HeldRow = Schema.Struct({
  id: ExecutionId,
  epoch: Schema.Int,
  attempt: Schema.Int,
  sequence: Schema.Int,
  number: Schema.Int,
  now: Schema.DateTimeUtc
})

/** A line as it is stored. */
interface Line extends LogLine {
  readonly epoch: number
  readonly id: ExecutionId
  readonly number: number | null
}

interface Lines extends InBucket {
  readonly lines: ReadonlyArray<Line>
}

/** What a column has in each line. */
const cellsOf = ({ arrayOf, element }: Column<Line>) =>
  fixed<Lines>`${({ lines }: Lines) => arrayOf(lines)}::${element}[]`

/**
 * Citus sends a single row of VALUES that unfolds arrays to one node as a whole. What `unnest` unfolds has no precision, and
 * Citus would round it before: so moments are read by their places.
 */
const insertLines = statement(fixed<Lines>`
  INSERT INTO execution_logs (bucket, execution_id, sequence, at, level, message, attempt, epoch, number)
  VALUES (
    ${inBucket},
    unnest(${cellsOf(uuid(({ id }) => id))}),
    unnest(${cellsOf(integer(({ sequence }) => sequence))}),
    (${cellsOf(timestamptz(({ at }) => at))})[generate_series(1, ${({ lines }) => lines.length}::integer)],
    unnest(${cellsOf(text(({ level }) => level))}),
    unnest(${cellsOf(text(({ message }) => message))}),
    unnest(${cellsOf(smallint(({ attempt }) => attempt))}),
    unnest(${cellsOf(integer(({ epoch }) => epoch))}),
    unnest(${cellsOf(integer(({ number }) => number))})
  )`)

export const makeLogs = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const timeSqlAt = yield* makeTimeSqlAt

  /** In the caller's transaction. The last lines are read behind the lock, in a statement that sees what others wrote before. */
  const append = Effect.fnUntraced(function* (options: Parameters<HistoryStore["Service"]["log"]>[0]) {
    const { accountId, at, said, sessionId } = options
    const bucket = yield* buckets.of(accountId)
    const ids = uuids([...new Set(said.map(({ executionId }) => executionId))])
    yield* sql`
      SELECT e.id FROM executions e
      WHERE e.bucket = ${smallint(bucket)} AND e.id = ANY (${ids}) AND e.account_id = ${uuid(accountId)}
      -- Always in one order, so that two requests do not wait for each other.
      ORDER BY e.id
      FOR UPDATE`
    const held = yield* decoded(HeldRow)(sql`
      SELECT e.id, e.epoch, e.attempt::integer AS attempt, coalesce(l.sequence, 0) AS sequence,
        coalesce(l.number, 0) AS number, ${timeSqlAt(at).now}::timestamptz AS now
      FROM executions e
      LEFT JOIN LATERAL (
        SELECT l.sequence, CASE WHEN l.epoch = e.epoch THEN l.number END AS number
        FROM execution_logs l
        WHERE l.bucket = ${smallint(bucket)} AND l.execution_id = e.id
        ORDER BY l.sequence DESC
        LIMIT 1
      ) AS l ON TRUE
      WHERE e.bucket = ${smallint(bucket)} AND e.id = ANY (${ids}) AND e.account_id = ${uuid(accountId)}
        AND (${uuid(sessionId)} IS NULL OR e.session_id = ${uuid(sessionId)}) AND e.slot IS NOT NULL
        AND e.status <> 'queued'`)
    const lines = held.flatMap(({ attempt, epoch, id, now, number, sequence }) =>
      said
        .flatMap((each) => (each.executionId === id && each.epoch === epoch ? each.lines : []))
        .filter((line) => line.number === null || line.number > number)
        .map(({ ageMillis, ...line }, index): Line => {
          const written = DateTime.subtract(now, { milliseconds: ageMillis })
          return { ...line, at: written, attempt, epoch, id, sequence: sequence + index + 1 }
        })
    )
    if (lines.length === 0) return
    yield* insertLines(sql, { bucket, lines })
    const last = new Map(lines.map(({ id, sequence }) => [id, sequence]))
    for (const [id, sequence] of last) {
      if (sequence <= logLinesMax) continue
      yield* sql`
        DELETE FROM execution_logs
        WHERE bucket = ${smallint(bucket)} AND execution_id = ${uuid(id)}
          AND sequence <= ${integer(sequence - logLinesMax)}`
    }
  })

  const read = (of: {
    readonly bucket: number
    readonly id: ExecutionId
    readonly after: number
    readonly limit: number
  }) =>
    decoded(LogLine)(sql`
      SELECT l.sequence, l.at, l.level, l.message, l.attempt::integer AS attempt
      FROM execution_logs l
      WHERE l.bucket = ${smallint(of.bucket)} AND l.execution_id = ${uuid(of.id)}
        AND l.sequence > ${integer(of.after)}
      ORDER BY l.sequence
      LIMIT ${integer(of.limit)}`)

  return { append, read }
})

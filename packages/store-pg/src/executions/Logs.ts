/** The logs of executions. Lines are numbered under a lock of their execution, so two requests never number the same. */
import { ExecutionId } from "@runhook/core/domain/Ids"
import { LogLine, logLinesMax } from "@runhook/core/domain/run/LogLine"
import type { HistoryStore } from "@runhook/core/ports/HistoryStore"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { PointReads } from "../connections/PointReads.ts"
import { integer, smallint, text, uuid, uuids } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded } from "../sql/SqlErrors.ts"

/** An execution that may be written to, and the last line of its log. */
const HeldRow = Schema.Struct({
  id: ExecutionId,
  epoch: Schema.Int,
  attempt: Schema.Int,
  sequence: Schema.Int,
  number: Schema.Int
})

export const makeLogs = Effect.gen(function* () {
  const sql = yield* SqlClient
  const reads = yield* PointReads
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
        coalesce(l.number, 0) AS number
      FROM executions e
      LEFT JOIN LATERAL (
        SELECT l.sequence, CASE WHEN l.epoch = e.epoch THEN l.number END AS number
        FROM execution_logs l
        WHERE l.bucket = e.bucket AND l.execution_id = e.id
        ORDER BY l.sequence DESC
        LIMIT 1
      ) AS l ON TRUE
      WHERE e.bucket = ${smallint(bucket)} AND e.id = ANY (${ids}) AND e.account_id = ${uuid(accountId)}
        AND (${uuid(sessionId)} IS NULL OR e.session_id = ${uuid(sessionId)}) AND e.slot IS NOT NULL
        AND e.status <> 'queued'`)
    const lines = held.flatMap(({ attempt, epoch, id, number, sequence }) =>
      said
        .flatMap((each) => (each.executionId === id && each.epoch === epoch ? each.lines : []))
        .filter((line) => line.number === null || line.number > number)
        .map((line, index) => ({ ...line, attempt, epoch, id, sequence: sequence + index + 1 }))
    )
    if (lines.length === 0) return
    const { now } = timeSqlAt(at)
    yield* sql`
      INSERT INTO execution_logs (bucket, execution_id, sequence, at, level, message, attempt, epoch, number)
      SELECT ${smallint(bucket)}, said.id, said.sequence, ${now} - make_interval(secs => said.age / 1000.0),
        said.level, said.message, said.attempt, said.epoch, said.number
      FROM ${rows("said", lines, {
        id: uuid(({ id }) => id),
        sequence: integer(({ sequence }) => sequence),
        age: integer(({ ageMillis }) => ageMillis),
        level: text(({ level }) => level),
        message: text(({ message }) => message),
        attempt: integer(({ attempt }) => attempt),
        epoch: integer(({ epoch }) => epoch),
        number: integer(({ number }) => number)
      })}`
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
    decoded(LogLine)(reads`
      SELECT l.sequence, l.at, l.level, l.message, l.attempt::integer AS attempt
      FROM execution_logs l
      WHERE l.bucket = ${smallint(of.bucket)} AND l.execution_id = ${uuid(of.id)}
        AND l.sequence > ${integer(of.after)}
      ORDER BY l.sequence
      LIMIT ${integer(of.limit)}`)

  return { append, read }
})

/** Reads deliveries by their keys, with what their moves depend on. Locks nothing. */
import { DeliveryAttempt, type DeliverySummary, streamOf } from "@runhook/core/deliveries/Delivery"
import { attemptsWaited, type Tried } from "@runhook/core/deliveries/claim/DeliveryOrder"
import type { ReceiverState } from "@runhook/core/deliveries/claim/Receiver"
import { type AccountId, DispatcherId, type EventId, type ExecutionId } from "@runhook/core/shared/Ids"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as Struct from "effect/Struct"
import { SqlClient } from "effect/sql/SqlClient"
import { IsDistributed } from "../../accounts/Buckets.ts"
import { forEachBucket } from "../../accounts/EachBucket.ts"
import { databaseNow } from "../../clock/DatabaseNow.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { beside, rowTable } from "../../rows/RowTable.ts"
import { inBucket, integer, uuid } from "../../sql/Parameters.ts"
import { fixedRows } from "../../sql/Rows.ts"
import { fixed, type InBucket, type Part, statement } from "../../sql/Statement.ts"
import { deliveryJoins, deliveryTable, summaryTable } from "../DeliveryRow.ts"
import { originSql } from "../queue/Origins.ts"

/** Names one delivery. */
export interface DeliveryKey {
  readonly accountId: AccountId
  readonly id: EventId
}

interface Keys extends InBucket {
  readonly keys: ReadonlyArray<DeliveryKey>
}

const keys = fixedRows("a", (asked: Keys) => asked.keys, {
  account_id: uuid((key) => key.accountId),
  id: uuid((key) => key.id)
})

/** The deliveries `d` of the rows `a`. */
const byKey = fixed<InBucket>`
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_deliveries d
    WHERE d.bucket = ${inBucket} AND d.account_id = a.account_id AND d.id = a.id
    LIMIT 1
  ) AS d`

/** The receiver of a delivery `d`, and when it was read. */
const withReceiver = <Asked>(bucket: Part<Asked>) => fixed<Asked>`
  LEFT JOIN LATERAL (
    SELECT * FROM webhook_receivers w
    WHERE w.bucket = ${bucket} AND w.account_id = d.account_id AND w.origin = ${originSql("d.url")}
    LIMIT 1
  ) AS w ON TRUE`

const receiverColumns = {
  now: databaseNow,
  openings: "coalesce(w.openings, 0)",
  heldUntil: "w.held_until",
  closedAt: "w.closed_at"
}

const ReceiverFields = {
  now: Schema.Finite,
  openings: Schema.Int,
  heldUntil: Schema.NullOr(Schema.DateTimeUtc),
  closedAt: Schema.NullOr(Schema.DateTimeUtc)
}

/** Whole deliveries, each with its receiver. */
const wholeTable = beside(deliveryTable, rowTable(receiverColumns, Schema.Struct(ReceiverFields)))
export const wholeRows = rowsOf(wholeTable)
export const readWhole = statement(fixed<Keys>`
SELECT ${wholeTable.columns} FROM ${keys}${byKey}${withReceiver<Keys>(inBucket)}${deliveryJoins}`)

/** The place in the queue of a pending delivery `d`. */
const place = <Asked>(bucket: Part<Asked>) => fixed<Asked>`
  LEFT JOIN LATERAL (
    SELECT * FROM webhook_queue q
    WHERE q.bucket = ${bucket} AND q.account_id = d.account_id AND q.origin = ${originSql("d.url")}
      AND q.is_retry = (d.attempts > 0) AND q.due_at = d.next_attempt_at AND q.delivery_id = d.id
    LIMIT 1
  ) AS q ON TRUE`

/** Deliveries without body, each with its receiver and whether a person wants it tried now. */
const placedTable = beside(
  summaryTable,
  rowTable(
    { ...receiverColumns, isTried: "coalesce(q.is_tried, FALSE)" },
    Schema.Struct({ ...ReceiverFields, isTried: Schema.Boolean })
  )
)
export const placedRows = rowsOf(placedTable)
export const readPlaced = statement(fixed<Keys>`
SELECT ${placedTable.columns} FROM ${keys}${byKey}${withReceiver<Keys>(inBucket)}${place<Keys>(inBucket)}`)

interface Attempts extends InBucket {
  readonly attempts: ReadonlyArray<DeliveryKey & { readonly round: number; readonly number: number }>
}

/** Deliveries, each with whether one of its attempts has a row. Those without have settled their first. */
const attemptedTable = beside(
  summaryTable,
  rowTable(
    { now: databaseNow, isRecorded: "r.number IS NOT NULL" },
    Schema.Struct({ now: Schema.Finite, isRecorded: Schema.Boolean })
  )
)
export const attemptedRows = rowsOf(attemptedTable)
export const readAttempted = statement(fixed<Attempts>`
SELECT ${attemptedTable.columns}
FROM ${fixedRows("a", ({ attempts }: Attempts) => attempts, {
  account_id: uuid((key) => key.accountId),
  id: uuid((key) => key.id),
  round: integer(({ round }) => round),
  number: integer(({ number }) => number)
})}${byKey}
LEFT JOIN LATERAL (
  SELECT r.number FROM webhook_attempts r
  WHERE r.bucket = ${inBucket} AND r.delivery_id = a.id AND r.round = a.round AND r.number = a.number
  LIMIT 1
) AS r ON TRUE`)

/** More than the pending events of any execution. */
const turnsMax = 1_000

const Outcomes = Schema.Array(
  Schema.Struct(Struct.pick(DeliveryAttempt.fields, ["round", "number", "phase", "status"]))
)

const turnTable = beside(
  summaryTable,
  rowTable(
    {
      ...receiverColumns,
      bucket: "d.bucket",
      dispatcher: "q.dispatcher_id",
      attempts: "t.attempts::text"
    },
    Schema.Struct({
      ...ReceiverFields,
      bucket: Schema.Int,
      dispatcher: Schema.NullOr(DispatcherId),
      attempts: Schema.NullOr(Schema.fromJsonString(Outcomes))
    })
  )
)
const turnRows = rowsOf(turnTable)

/** An event with a turn, in its bucket, with its receiver at that moment. */
export interface StoredTurn extends Tried {
  readonly bucket: number
  readonly receiver: ReceiverState
  readonly now: number
}

/** The events of executions, in their order, by their streams (`streamOf`). */
export type Turns = ReadonlyMap<string | null, ReadonlyArray<StoredTurn> | undefined>

/** Names the execution of an event. */
export interface ExecutionKey {
  readonly bucket: number
  readonly executionId: ExecutionId
}

/** The execution of a delivery, if it is an event. */
export const executionOf = (bucket: number, { executionId }: DeliverySummary): ReadonlyArray<ExecutionKey> =>
  executionId === null ? [] : [{ bucket, executionId }]

interface Executions {
  readonly executions: ReadonlyArray<ExecutionKey>
}

const turnsIn = <Asked extends Executions>(bucket: {
  readonly asked: Part<Asked>
  readonly found: Part<Asked>
}) =>
  statement(fixed<Asked>`
SELECT ${turnTable.columns}
FROM ${fixedRows("a", ({ executions }: Asked) => executions, {
    bucket: integer(({ bucket: of }) => of),
    execution_id: uuid(({ executionId }) => executionId)
  })}
CROSS JOIN LATERAL (
  SELECT * FROM webhook_deliveries d
  WHERE d.bucket = ${bucket.asked} AND d.execution_id = a.execution_id AND d.state = 'pending' AND d.round = 1
  ORDER BY d.revision, d.id
  LIMIT ${turnsMax}
) AS d${withReceiver<Asked>(bucket.found)}${place<Asked>(bucket.found)}
-- With fewer attempts no turn is used up.
LEFT JOIN LATERAL (
  SELECT json_agg(
    json_build_object('round', r.round, 'number', r.number, 'phase', r.phase, 'status', r.status)
  ) AS attempts
  FROM webhook_attempts r
  WHERE d.attempts >= ${attemptsWaited} AND r.bucket = ${bucket.found} AND r.delivery_id = d.id AND r.round = 1
) AS t ON TRUE
ORDER BY d.bucket, d.execution_id, d.revision, d.id`)

/** All buckets in one look. */
const turnsOfAll = turnsIn({ asked: "a.bucket", found: "d.bucket" })

/** A look for each bucket, where rows are distributed. */
const turnsOfBucket = turnsIn<Executions & InBucket>({ asked: inBucket, found: inBucket })

/** Reads the events with a turn, of executions in all buckets. */
export const makeReadTurns = Effect.gen(function* () {
  const sql = yield* SqlClient
  const isDistributed = yield* IsDistributed

  const rowsOfAll = (executions: ReadonlyArray<ExecutionKey>) =>
    executions.length === 0 ? Effect.succeed([]) : turnRows(turnsOfAll(sql, { executions }))

  const rowsByBucket = (executions: ReadonlyArray<ExecutionKey>) =>
    Effect.map(
      forEachBucket(executions, (bucket, some) => turnRows(turnsOfBucket(sql, { bucket, executions: some }))),
      (rows) => rows.flat()
    )

  return Effect.fnUntraced(function* (
    asked: ReadonlyArray<ExecutionKey>
  ): Effect.fn.Return<Turns, SqlError | Schema.SchemaError> {
    const executions = [...new Map(asked.map((each) => [each.executionId, each])).values()]
    const rows = yield* isDistributed ? rowsByBucket(executions) : rowsOfAll(executions)
    const turns = rows.map(([delivery, { attempts, bucket, dispatcher, now, ...receiver }]): StoredTurn => ({
      delivery,
      attempts: attempts ?? [],
      bucket,
      dispatcher,
      now,
      receiver
    }))
    return new Map(Object.entries(Array.groupBy(turns, ({ delivery }) => streamOf(delivery) ?? "")))
  })
})

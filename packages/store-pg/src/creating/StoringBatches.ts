/**
 * Stores batches of creations whatever comes in between, and says of each
 * creation what became of it.
 *
 * - A value that the database refuses fails its own creation only: the batch
 *   is split until that one is alone.
 * - A collision with another transaction is tried again.
 * - A connection that is lost leaves open what was stored. The same creations,
 *   with the same ids, are sent again, and those that were stored are found.
 */
import { ExecutionId } from "@runhook/core/domain/Ids"
import * as Array from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { uuids } from "../Arrays.ts"
import { StoreClock } from "../clock/StoreClock.ts"
import { isConnectionLost, sqlStateOf } from "../Outages.ts"
import { decoded, defectOf, isSqlError, whileColliding } from "../Outcomes.ts"
import { CreatedRow, createStatement, type Creation } from "./CreateStatement.ts"

/** What became of a creation. `Known`: its idempotency key was used before. */
export type Created =
  | { readonly _tag: "Made" }
  | { readonly _tag: "Known" }
  | { readonly _tag: "Refused"; readonly by: "account" | "key" }

/** The outcome of each creation by its execution; a defect where it could not be stored. */
export type Outcomes = ReadonlyMap<ExecutionId, Exit.Exit<Created>>

/** Creations of one bucket that are stored together. */
export interface Batch {
  readonly bucket: number
  readonly creations: ReadonlyArray<Creation>
  /** How often the connection was lost while they were on their way. */
  readonly losses: number
}

/** A batch is given up after that many lost connections, within about a second. */
const lossesMax = 4

const pauseAfter = ({ losses }: Batch): Duration.Duration => Duration.millis(50 * 2 ** losses)

const IdRow = Schema.Struct({ id: ExecutionId })

/** Whether the database refused a value or a row: SQLSTATE classes 22 and 23. */
const isDataError = (error: SqlError): boolean => /^2[23]/.test(sqlStateOf(error) ?? "")

/** Stores a batch. Never fails: what goes wrong is an outcome of the creations it happens to. */
export const makeStoringBatches = Effect.gen(function* () {
  const sql = yield* SqlClient
  const clock = yield* StoreClock

  const store = (batch: Batch): Effect.Effect<Outcomes> =>
    decoded(CreatedRow)(createStatement(sql, { ...batch, clock })).pipe(
      Effect.retry(whileColliding),
      Effect.map((rows) => answered(batch, rows)),
      Effect.catch((fault) => recover(batch, fault))
    )

  const recover = (batch: Batch, fault: SqlError | Schema.SchemaError): Effect.Effect<Outcomes> => {
    if (!isSqlError(fault) || batch.losses === lossesMax) return Effect.succeed(failed(batch, fault))
    const again = { ...batch, losses: batch.losses + 1 }
    if (isConnectionLost(fault)) return Effect.delay(resend(again), pauseAfter(batch))
    if (!isDataError(fault)) return Effect.succeed(failed(batch, fault))
    if (batch.creations.length > 1) return storeHalves(batch)
    // What was sent before may have been stored only now, and be what is in the way.
    return batch.losses > 0 ? resend(again) : Effect.succeed(failed(batch, fault))
  }

  const storeHalves = (batch: Batch): Effect.Effect<Outcomes> => {
    const halves = Array.chunksOf(batch.creations, Math.ceil(batch.creations.length / 2))
    return Effect.map(
      Effect.forEach(halves, (creations) => store({ ...batch, creations })),
      (outcomes) => new Map(outcomes.flatMap((each) => [...each]))
    )
  }

  /** Finds what was stored before the connection was lost, and sends the rest again. */
  const resend = (batch: Batch): Effect.Effect<Outcomes> =>
    storedOf(batch).pipe(
      Effect.flatMap((stored) => {
        const made = outcomesOf(batch.creations.filter(isIn(stored)), () => Exit.succeed({ _tag: "Made" }))
        const creations = batch.creations.filter((creation) => !isIn(stored)(creation))
        if (creations.length === 0) return Effect.succeed(made)
        return Effect.map(store({ ...batch, creations }), (rest) => new Map([...made, ...rest]))
      }),
      Effect.catch((fault) => recover(batch, fault))
    )

  const storedOf = ({ bucket, creations }: Batch) =>
    Effect.map(
      decoded(IdRow)(sql`
        SELECT id
        FROM execution_requests
        WHERE bucket = ${bucket}::smallint AND id = ANY (${uuids(creations.map(({ execution }) => execution.id))}::uuid[])`),
      (rows) => new Set(rows.map(({ id }) => id))
    )

  return store
})

const isIn =
  (ids: ReadonlySet<ExecutionId>) =>
  ({ execution }: Creation): boolean =>
    ids.has(execution.id)

const outcomesOf = (
  creations: ReadonlyArray<Creation>,
  outcome: (creation: Creation) => Exit.Exit<Created>
): Outcomes => new Map(creations.map((creation) => [creation.execution.id, outcome(creation)]))

const failed = ({ creations }: Batch, fault: SqlError | Schema.SchemaError): Outcomes =>
  outcomesOf(creations, () => Exit.die(defectOf(fault)))

const answered = ({ creations }: Batch, rows: ReadonlyArray<typeof CreatedRow.Type>): Outcomes => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return outcomesOf(creations, ({ execution }) => Exit.succeed(createdOf(byId.get(execution.id))))
}

/** What the answer of the statement says about a creation. */
export const createdOf = (row: typeof CreatedRow.Type | undefined): Created => {
  if (row?.isMade) return { _tag: "Made" }
  return row?.refusedBy ? { _tag: "Refused", by: row.refusedBy } : { _tag: "Known" }
}

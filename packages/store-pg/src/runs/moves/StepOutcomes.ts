/**
 * Stores steps, hands over their events, and reports for each step whether it was stored or missed: missed means that
 * someone else had moved or locked its run.
 */
import { ExecutionId } from "@runhook/core/shared/Ids"
import type { Run } from "@runhook/core/runs/Run"
import type { AttemptStart, DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { storeRecovering } from "../../engine/BatchRecovery.ts"
import type { Group } from "../../engine/GroupCommit.ts"
import type { DatabaseNow } from "../../clock/DatabaseNow.ts"
import { makeHandOver, type Places } from "../../deliveries/queue/HandOver.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { rowTable } from "../../rows/RowTable.ts"
import { inBucket, integer, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import { fixedRows } from "../../sql/Rows.ts"
import { fixed, type InBucket, statement } from "../../sql/Statement.ts"
import type { Step } from "./Move.ts"
import { type Locked, storeMoves } from "./StoreMoves.ts"

/**
 * The outcome of a step: missed, because someone else was quicker; stored; stored with its event begun in the
 * reserved place; or found stored after a lost connection, with the outcome of its event unknown.
 */
export type StepOutcome = "missed" | "stored" | AttemptStart | "found"

type Stored = ReadonlyMap<Step, StepOutcome>

type Fault = SqlError | Schema.SchemaError

const happenedTable = rowTable({ id: "a.id" }, Schema.Struct({ id: ExecutionId }))
const happenedRows = rowsOf(happenedTable)

interface Batch extends InBucket {
  readonly runs: ReadonlyArray<Run>
}

/** A change leaves an event with its number: one by another process differs in its moment, its epoch or its type. */
const findHappened = statement(fixed<Batch>`
SELECT ${happenedTable.columns}
FROM ${fixedRows("a", ({ runs }: Batch) => runs, {
  id: uuid(({ execution }) => execution.id),
  number: integer(({ revision }) => revision),
  at: timestamptz(({ execution }) => execution.updatedAt),
  epoch: integer(({ execution }) => execution.epoch),
  status: text(({ execution }) => execution.status)
})}
CROSS JOIN LATERAL (
  SELECT FROM execution_events h
  WHERE h.bucket = ${inBucket} AND h.execution_id = a.id AND h.number = a.number
    AND h.at = a.at AND h.epoch = a.epoch AND h.status = a.status
  LIMIT 1
) AS h`)

export const makeStoreSteps = (
  sql: SqlClient,
  now: DatabaseNow,
  {
    inlets,
    onLost
  }: {
    readonly inlets: DeliveryInlets["Service"]
    /** Called when a connection was lost while steps were on their way. */
    readonly onLost: () => void
  }
) => {
  const handOver = makeHandOver<Step, StepOutcome>({
    inlets,
    changeOf: ({ change }) => change,
    endingOf: (_, outcome) => {
      if (typeof outcome === "object") return outcome
      return outcome === "found" ? "doubted" : "freed"
    }
  })

  const storeWith =
    (locked: Locked, places: Places<Step>) =>
    ({ bucket, items: steps }: Group<Step>): Effect.Effect<Stored, Fault> => {
      const items = steps.map((step) => ({ ...step, place: places.get(step) }))
      return Effect.map(storeMoves.call(sql, { bucket, items, locked }), (rows) => {
        const [first] = rows
        if (first !== undefined) now.note(first.now)
        const stored = new Map(rows.map((row) => [row.id, row]))
        return new Map(
          steps.map((step): readonly [Step, StepOutcome] => {
            const row = stored.get(step.move.ref.id)
            if (row === undefined) return [step, "missed"]
            step.hasListeners = row.hasListeners
            return [step, row.isBegun ? { at: step.at, behind: row.behind } : "stored"]
          })
        )
      })
    }

  const stored = ({ bucket, items: steps }: Group<Step>): Effect.Effect<Stored, Fault> => {
    onLost()
    const runs = steps.map(({ change }) => change.run)
    return Effect.map(happenedRows(findHappened(sql, { bucket, runs })), (rows) => {
      const ids = new Set(rows.map(({ id }) => id))
      // They may be.
      for (const step of steps) step.hasListeners = true
      return new Map(steps.filter(({ move }) => ids.has(move.ref.id)).map((step) => [step, "found"]))
    })
  }

  return {
    /** In whatever transaction its caller has. */
    store: (locked: Locked, group: Group<Step>) => storeWith(locked, new Map())(group),
    /** In a transaction of their own, whatever comes in between. Never fails: see `storeRecovering`. */
    storeAll: (locked: Locked, group: Group<Step>) =>
      handOver(group.items, (places) =>
        storeRecovering<Step, StepOutcome>({ store: storeWith(locked, places), stored })(group)
      )
  }
}

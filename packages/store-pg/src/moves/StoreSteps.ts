/**
 * The one statement that stores steps of runs of one bucket: each is locked if
 * it is still at the revision that the step is from, and stored with all that
 * follows from it. Its answer names those that were stored.
 */
import type * as PgTypes from "@effect/sql-pg/PgTypes"
import { ExecutionId } from "@runhook/core/domain/Ids"
import * as Schema from "effect/Schema"
import { databaseNow } from "../clock/DatabaseNow.ts"
import { askedRelation, type Column } from "../sql/AskedRelation.ts"
import { rowTable } from "../rows/RowTable.ts"
import { type Consequence, consequences, type Locked } from "./Consequences.ts"
import type { Step } from "./Move.ts"
import { guardColumns, runAssignments, runColumns } from "./RunColumns.ts"

const StoredRow = Schema.Struct({ id: ExecutionId, now: Schema.Finite, isBegun: Schema.Boolean })

/** Which runs were stored, and when; and whether the event of each is begun already. */
export const storedTable = (isBegun = "FALSE") => rowTable({ id: "id", now: databaseNow, isBegun }, StoredRow)

interface Form {
  readonly locked: Locked
  readonly rows: "many" | "one"
}

interface Statement {
  readonly text: string
  readonly columns: ReadonlyArray<Column<Step>>
}

const textOf = (
  columns: ReadonlyArray<Column<Step>>,
  parts: ReadonlyArray<Consequence>,
  { locked, rows }: Form
) => {
  const each = <Part>(part: (consequence: Consequence) => Part | undefined): ReadonlyArray<Part> =>
    parts.map(part).filter((found) => found !== undefined)
  const assignments = [runAssignments, ...each(({ assigns }) => assigns)]
  // By the ids as well as by the join: else a plan may go through all of a bucket that it takes for small.
  const requirements = [
    "e.bucket = $1::smallint AND e.id = ANY (ARRAY (SELECT id FROM locked)) AND e.id = n.id",
    ...each(({ requires }) => requires)
  ]
  const relations = [
    askedRelation(columns, rows),
    `locked AS (
  SELECT a.*
  FROM asked a
  CROSS JOIN LATERAL (
    SELECT e.id
    FROM executions e
    WHERE e.bucket = $1::smallint AND e.id = a.id AND e.revision = a.revision
      AND (a.lease_seen IS NULL OR e.lease_expires_at = a.lease_seen)
    LIMIT 1
    FOR UPDATE${locked === "skip" ? " SKIP LOCKED" : ""}
  ) AS e
)`,
    ...each(({ before }) => before),
    `after AS (
  UPDATE executions e
  SET ${assignments.join(", ")}
  FROM locked n
  WHERE ${requirements.join(" AND ")}
  RETURNING n.*
)`,
    `happened AS (
  INSERT INTO execution_events (bucket, execution_id, number, status, epoch, at, type, attempt)
  SELECT $1::smallint, id, revision + 1, status, epoch, updated_at, happening, attempt FROM after
)`,
    ...each(({ with: text }) => (typeof text === "function" ? text(locked) : text))
  ]
  const [isBegun] = each((part) => part.isBegun)
  return `WITH ${relations.join(",\n")}\nSELECT ${storedTable(isBegun).columns} FROM after`
}

const known = new Map<string, Statement>()

const statementOf = (parts: ReadonlyArray<Consequence>, form: Form): Statement => {
  const key = `${form.locked} ${form.rows} ${parts.map((part) => consequences.indexOf(part)).join()}`
  const before = known.get(key)
  if (before !== undefined) return before
  // Several of them may need the same column.
  const columns = [...guardColumns, ...runColumns, ...parts.flatMap((part) => part.columns)]
  const distinct = [...new Map(columns.map((column) => [column.name, column])).values()]
  const statement = { columns: distinct, text: textOf(distinct, parts, form) }
  known.set(key, statement)
  return statement
}

/** The text and the parameters that store the steps, with no more in it than they need. */
export const storeSteps = ({
  bucket,
  locked,
  steps
}: {
  readonly bucket: number
  readonly steps: ReadonlyArray<Step>
  readonly locked: Locked
}): { readonly text: string; readonly parameters: ReadonlyArray<number | PgTypes.Parameter> } => {
  const { columns, text } = statementOf(
    consequences.filter(({ isOf }) => steps.some(isOf)),
    { locked, rows: steps.length === 1 ? "one" : "many" }
  )
  return { text, parameters: [bucket, ...columns.map(({ values }) => values(steps))] }
}

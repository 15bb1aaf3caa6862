/**
 * A verb that is a function in the database: one text for plain PostgreSQL and for Citus, which sends the whole call to
 * the node of the bucket. Rows go there as one array for each column, which is null as a whole where no row has a value.
 *
 *     const createExecutions = databaseFunction({
 *       name: "create_executions",
 *       parameters: { now: timestamptz(({ at }: Call) => at) },
 *       columns: { id: uuid(({ id }: Execution) => id) },
 *       answer: Created
 *     })
 *
 *     yield* createExecutions.call(sql, { bucket: 7, at, items })
 *
 * says `SELECT id AS "id" FROM create_executions($1::smallint, $2::timestamptz(3), $3::uuid[])`.
 */
import * as Record from "effect/Record"
import type * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fields } from "../rows/RowReader.ts"
import { rowsOf } from "../rows/Rows.ts"
import { columnOf, columnsOf, type RowTable, rowTable } from "../rows/RowTable.ts"
import { type Column, inBucket } from "../sql/Parameters.ts"
import type { Columns } from "../sql/Rows.ts"
import { type InBucket, type Parameter, statement } from "../sql/Statement.ts"

export interface Call<out Item> extends InBucket {
  readonly items: ReadonlyArray<Item>
}

interface Argument<in Asked> {
  readonly name: string
  readonly type: string
  readonly read: Parameter<Asked>
}

interface Options<in Item, in Asked> {
  readonly name: string
  /** Beside the bucket, which is the first. */
  readonly parameters: Columns<Asked>
  /** Of each item. */
  readonly columns: Columns<Item>
}

export const databaseFunction = <Item, Of extends Fields, Asked extends Call<Item> = Call<Item>>({
  answer,
  ...options
}: Options<Item, Asked> & {
  /** The columns that it returns: that of `createdAt` is `created_at`. */
  readonly answer: Schema.Struct<Of>
}) => databaseFunctionOf({ ...options, table: rowTable(columnsOf(answer, ""), answer) })

/** The same, whose rows a table reads. */
export const databaseFunctionOf = <Item, Row, Asked extends Call<Item>>(
  options: Options<Item, Asked> & { readonly table: RowTable<Row> }
) => {
  const { columns, name, parameters, table } = options
  const scalars = Record.toEntries<string, Column<Asked>>({ bucket: inBucket, ...parameters })
  const args: ReadonlyArray<Argument<Asked>> = [
    ...scalars.map(
      ([
        scalar,
        {
          cast,
          element,
          parts: [read]
        }
      ]) => ({
        name: `p_${scalar}`,
        type: cast ?? element,
        read: typeof read === "function" ? read : () => read
      })
    ),
    ...Record.toEntries(columns).map(([column, { element, sparseArrayOf }]) => ({
      name: `p_${column}`,
      type: `${element}[]`,
      read: ({ items }: Asked) => sparseArrayOf(items)
    }))
  ]
  const listed = args.flatMap(({ read, type }, place) => [place === 0 ? "" : ", ", read, `::${type}`])
  const text = statement<Asked>({ parts: [`SELECT ${table.columns} FROM ${name}(`, ...listed, ")"] })
  const rows = rowsOf(table)
  return {
    name,
    /** What the function takes, and what it returns, by their names in the database. */
    signature: {
      takes: args.map((argument) => ({ name: argument.name, type: argument.type })),
      returns: table.names.map(columnOf)
    },
    call: (sql: SqlClient, asked: Asked) => rows(text(sql, asked))
  }
}

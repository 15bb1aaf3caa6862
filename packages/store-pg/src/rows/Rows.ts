/** Reads the rows that statements return. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Statement } from "effect/sql/Statement"
import { CurrentRowCheck, type Read, type Values } from "./RowReader.ts"
import type { RowTable } from "./RowTable.ts"

/** The rows of a statement that lists exactly the columns of the table. */
export const rowsOf =
  <Row>({ names, read }: RowTable<Row>) =>
  ({ values }: Pick<Statement<unknown>, "values">) =>
    Effect.flatMap(values, (rows) => {
      const width = rows[0]?.length ?? names.length
      return width === names.length
        ? readAll(read, rows)
        : Effect.die(new Error(`A statement answered ${width} columns, where its table has ${names.length}`))
    })

/** The first row; undefined when there is none. */
export const firstOf = <Row>(table: RowTable<Row>) => {
  const rows = rowsOf(table)
  return (statement: Pick<Statement<unknown>, "values">) => Effect.map(rows(statement), ([first]) => first)
}

/** All rows, or the error of the first that cannot be read. */
export const readAll = <Row>(
  read: Read<Row>,
  rows: ReadonlyArray<Values>
): Effect.Effect<ReadonlyArray<Row>, Schema.SchemaError> =>
  Effect.withFiber((fiber) => {
    const check = fiber.getRef(CurrentRowCheck)
    try {
      return Effect.succeed(rows.map((values) => read(values, check)))
    } catch (fault) {
      return Schema.isSchemaError(fault) ? Effect.fail(fault) : Effect.die(fault)
    }
  })

/** What a database makes of values: JSON goes through text, and nothing is shared with the caller. */
import * as Schema from "effect/Schema"

/**
 * A function that gives a value back as it would be read from its row: a copy,
 * with whole milliseconds. A value that does not fit its schema is a defect.
 */
export const storedAs = <S extends Schema.Codec<unknown, unknown>>(
  schema: S
): ((value: S["Type"]) => S["Type"]) => {
  const row = Schema.fromJsonString(Schema.toCodecJson(schema))
  const write = Schema.encodeSync(row)
  const read = Schema.decodeSync(row)
  return (value) => read(write(value))
}

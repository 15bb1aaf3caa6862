/**
 * Decodes every row that the stores of a test read, with the schemas of the
 * core: what production trusts is looked at here, each time.
 */
import { CurrentRowCheck, type RowCheck } from "@runhook/store-pg/rows/RowReader"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { assert } from "vitest"

const decoders = new WeakMap<object, (values: unknown) => unknown>()

const decoderOf = (schema: Schema.ConstraintDecoder<unknown>) => {
  const decoder = decoders.get(schema) ?? Schema.decodeUnknownSync(schema)
  decoders.set(schema, decoder)
  return decoder
}

export const check: RowCheck = (schema, values, row) => assert.deepStrictEqual(row, decoderOf(schema)(values))

/** For the stores and for whoever asks them. */
export const layer = Layer.succeed(CurrentRowCheck, check)

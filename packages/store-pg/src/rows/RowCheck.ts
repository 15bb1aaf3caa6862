/**
 * Compares rows as they were read with what their schemas make of them. Only
 * tests give one: they decode what production trusts.
 */
import * as Context from "effect/Context"
import type * as Schema from "effect/Schema"

/** Throws when a row was read as something else than the schema makes of its values. */
export type RowCheck = (
  schema: Schema.ConstraintDecoder<unknown>,
  values: Readonly<Record<string, unknown>>,
  row: unknown
) => void

export const CurrentRowCheck = Context.Reference<RowCheck | undefined>("@runhook/store-pg/rows/RowCheck", {
  defaultValue: () => undefined
})

/**
 * Compares rows as they were read with what their schemas decode. Only tests provide one: they decode what production
 * trusts.
 */
import * as Context from "effect/Context"
import type * as Schema from "effect/Schema"

/** Throws when a row differs from what the schema makes of its values. */
export type RowCheck = (
  schema: Schema.ConstraintDecoder<unknown>,
  values: Readonly<Record<string, unknown>>,
  row: unknown
) => void

export const CurrentRowCheck = Context.Reference<RowCheck | undefined>("@runhook/store-pg/rows/RowCheck", {
  defaultValue: () => undefined
})

/** Examples of bodies, each beside the schema that it is held to. */
import type * as Schema from "effect/Schema"
import { pageOf } from "../../wire/Envelope.ts"
import { requestId } from "./Names.ts"

/** A body as it is on the wire. */
export interface Example {
  readonly schema: Schema.ConstraintDecoder<unknown>
  readonly value: unknown
}

export const exampleOf = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  value: S["Encoded"]
): Example => ({ schema, value })

/** The only page of a list. */
export const pageExample = <Item extends Schema.Codec<unknown, unknown>>(
  identifier: string,
  item: Item,
  data: ReadonlyArray<Item["Encoded"]>
): Example => ({
  schema: pageOf(identifier, item),
  value: { data, next_cursor: null, request_id: requestId }
})

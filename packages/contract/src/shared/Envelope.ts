/** What all bodies share: the request id, and pages of lists. */
import { Cursor } from "@runhook/core/shared/Cursor"
import * as Schema from "effect/Schema"
import { inQuery, queryNumbers } from "../QueryNumbers.ts"
import { RequestId } from "../RequestId.ts"
import { described } from "./Described.ts"

/** A body with these fields and the request id, under its own name in the document. */
export const bodyOf = <const Fields extends Schema.Struct.Fields>(
  identifier: string,
  description: string,
  fields: Fields
) => Schema.Struct({ ...fields, request_id: RequestId }).annotate({ identifier, description })

/** One page of a list. */
export const pageOf = <Item extends Schema.Top>(
  identifier: string,
  item: Item,
  description = "One page, newest first."
) =>
  bodyOf(identifier, description, {
    data: Schema.Array(item),
    next_cursor: Schema.NullOr(Schema.String).pipe(
      described("Where the next page begins; null on the last page.")
    )
  })

/** A body that may be left out, and is then read as null. */
export const optional = <const Body extends Schema.Top>(body: Body) => [body, Schema.Null] as const

/** The query fields that choose a page. */
export const pageQuery = {
  cursor: Schema.optionalKey(Cursor).pipe(described("next_cursor of the previous page.")),
  limit: Schema.optionalKey(inQuery(queryNumbers.limit))
}

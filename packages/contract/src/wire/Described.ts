/** What a field means, for readers of the document. */
import * as Schema from "effect/Schema"

/**
 * Describes the schema as it is on the wire, since the document shows nothing
 * of the other side. Not for what has a name in the document, nor for a list
 * of such: it would come a second time, under a name made up.
 */
export const described =
  (description: string) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] =>
    Schema.annotateEncoded<S>({ description })(schema)

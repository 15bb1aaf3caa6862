/** What a field means, and its value when it is left out, for readers of the document. */
import * as Schema from "effect/Schema"

/**
 * Describes the schema in its wire form, since the document shows only that. Not
 * for a schema that has a name in the document, nor for a list of such: it would
 * appear a second time, under a made-up name.
 */
export const described =
  (description: string, unlessGiven?: string | number | boolean) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] =>
    Schema.annotateEncoded<S>({
      description,
      ...(unlessGiven === undefined ? {} : { default: unlessGiven })
    })(schema)

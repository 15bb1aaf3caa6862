/**
 * The place where the next page of a list begins: the last id of the previous
 * page, and a mark of the list and its filters, in opaque form.
 */
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** Hex digits of the mark of a list. */
export const listMarkLength = 8

const shape = /^[A-Za-z0-9_-]{63}$/

/** The version of the format, so that cursors may one day hold something else; the mark; the id. */
const content = /^1\.([0-9a-f]{8})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

interface Position {
  /** The last id of the previous page. */
  readonly after: string
  /** The mark of the list. */
  readonly list: string
}

export const sealCursor = ({ after, list }: Position): string => Base64Url.encode(`1.${list}.${after}`)

export const openCursor = (cursor: string): Option.Option<Position> =>
  Option.some(cursor).pipe(
    Option.filter((text) => shape.test(text)),
    Option.flatMap((text) => Result.getSuccess(Base64Url.decodeString(text))),
    Option.flatMap((text) => {
      const [, list, after] = content.exec(text) ?? []
      return list === undefined || after === undefined ? Option.none() : Option.some({ after, list })
    })
  )

/** The cursor of a list. */
export const Cursor = Schema.NonEmptyString.pipe(
  Schema.decodeTo(
    Schema.Struct({ after: Schema.String, list: Schema.String }),
    SchemaTransformation.transformEffect({
      decode: (cursor: string, options) =>
        Option.match(openCursor(cursor), {
          onNone: () =>
            Effect.fail(
              new SchemaIssue.InvalidValue(
                { expected: "a next_cursor of an earlier response" },
                cursor,
                options
              )
            ),
          onSome: (place) => Effect.succeed(place)
        }),
      encode: (place: Position) => Effect.succeed(sealCursor(place))
    })
  )
)

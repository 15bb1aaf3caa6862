/** The place where the next page of a list begins: the last id of the previous page, in opaque form. */
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** The version of the format, so that cursors may one day hold something else. */
const version = "1."

const shape = /^[A-Za-z0-9_-]{51}$/
const lowerCaseUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The cursor of a list whose items have ids of this kind: `Cursor(ExecutionId)`. */
export const Cursor = <Id extends Schema.Codec<string, string>>(id: Id) =>
  Schema.NonEmptyString.pipe(
    Schema.decodeTo(
      id,
      SchemaTransformation.transformEffect({
        decode: (cursor: string, options) =>
          Option.match(open(cursor), {
            onNone: () =>
              Effect.fail(
                new SchemaIssue.InvalidValue(
                  { expected: "a next_cursor of an earlier response" },
                  cursor,
                  options
                )
              ),
            onSome: (lastId) => Effect.succeed(lastId)
          }),
        encode: (lastId: string) => Effect.succeed(seal(lastId))
      })
    )
  )

const seal = (id: string): string => Base64Url.encode(version + id)

const open = (cursor: string): Option.Option<string> =>
  Option.some(cursor).pipe(
    Option.filter((text) => shape.test(text)),
    Option.flatMap((text) => Result.getSuccess(Base64Url.decodeString(text))),
    Option.filter((text) => text.startsWith(version)),
    Option.map((text) => text.slice(version.length)),
    Option.filter((id) => lowerCaseUuid.test(id))
  )

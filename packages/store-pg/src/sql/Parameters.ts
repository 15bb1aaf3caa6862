/**
 * Parameters that carry their cast: PostgreSQL is told the type of each, so
 * that a null or an empty array has one too. Made of a value, a parameter
 * belongs into a template of `sql`; made of a function that reads the value off
 * what is asked, into a `fixed` text, or it is a column of `rows`. In a plain
 * string it would be an object: neither may stand there.
 *
 *     sql`SELECT name FROM agents WHERE bucket = ${smallint(bucket)} AND id = ${uuid(id)}`
 *     fixed<AgentRef>`SELECT name FROM agents WHERE bucket = ${inBucket} AND id = ${uuid(({ id }) => id)}`
 *
 * Both say `bucket = $1::smallint AND id = $2::uuid`.
 */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { type Fragment, fragment, literal, parameter } from "effect/sql/Statement"
import type { Fixed, InBucket } from "./Statement.ts"

/** A parameter that is read off what is asked. */
export interface Column<in Asked> extends Fixed<Asked> {
  /** The type of an element, where many of them are sent as one array. */
  readonly element: string
  /** What an element is cast to, where PostgreSQL has no arrays of its type. */
  readonly cast: string | undefined
  readonly arrayOf: (asked: ReadonlyArray<Asked>) => PgTypes.Parameter
  /** The same; null as a whole where none has a value. */
  readonly sparseArrayOf: (asked: ReadonlyArray<Asked>) => PgTypes.Parameter | null
}

export interface Typed<in Value> {
  (value: Value | null): Fragment
  <Asked>(read: (asked: Asked) => Value | null): Column<Asked>
}

/** How values of a type are sent, one by one and as elements of an array. */
interface Type<in Value> {
  readonly name: string
  /** Default: as the driver sends them. */
  readonly encode?: (value: Value | null) => unknown
  readonly element: {
    readonly oid: number
    /** Default: as they are. */
    readonly encode?: (value: Value) => unknown
    /** The type of the elements, where it is not the type itself: each is cast to that. */
    readonly name?: string
  }
}

const isReader = <Asked, Value>(
  given: Value | null | ((asked: Asked) => Value | null)
): given is (asked: Asked) => Value | null => typeof given === "function"

const typed = <Value>({ element, encode, name }: Type<Value>): Typed<Value> => {
  const cast = literal(`::${name}`)
  const encodeElement = element.encode
  const elementOf = (value: Value | null) =>
    value === null || encodeElement === undefined ? value : encodeElement(value)
  const arrayOfValues = (values: ReadonlyArray<Value | null>) =>
    Result.getOrThrow(PgTypes.array(values.map(elementOf), element.oid))

  function typedParameter(value: Value | null): Fragment
  function typedParameter<Asked>(read: (asked: Asked) => Value | null): Column<Asked>
  function typedParameter<Asked>(
    given: Value | null | ((asked: Asked) => Value | null)
  ): Fragment | Column<Asked> {
    if (!isReader(given)) return fragment([parameter(encode === undefined ? given : encode(given)), cast])
    // As it is where nothing is encoded: the same function is the same parameter of a text.
    return {
      parts: [encode === undefined ? given : (asked: Asked) => encode(given(asked)), `::${name}`],
      element: element.name ?? name,
      cast: element.name === undefined ? undefined : name,
      arrayOf: (asked: ReadonlyArray<Asked>) => arrayOfValues(asked.map(given)),
      sparseArrayOf: (asked: ReadonlyArray<Asked>) => {
        const values = asked.map(given)
        return values.every((value) => value === null) ? null : arrayOfValues(values)
      }
    }
  }
  return typedParameter
}

const millisOf = ({ epochMilliseconds }: DateTime.Utc): number => epochMilliseconds

/** Arrays cannot hold arrays of differing lengths: as elements they are written as text, which does for numbers and plain words. */
const arrayText = (values: ReadonlyArray<string | number>): string => `{${values.join(",")}}`

const arrayOf = <Value extends string | number>(name: string, oid: number) =>
  typed<ReadonlyArray<Value>>({
    name: `${name}[]`,
    encode: (values) => Result.getOrThrow(PgTypes.array(values, oid)),
    element: { oid: PgTypes.OID.text, encode: arrayText, name: "text" }
  })

export const smallint = typed<number>({ name: "smallint", element: { oid: PgTypes.OID.int2 } })
export const integer = typed<number>({ name: "integer", element: { oid: PgTypes.OID.int4 } })
export const bigint = typed<number>({ name: "bigint", element: { oid: PgTypes.OID.int8 } })
export const float8 = typed<number>({
  name: "float8",
  encode: PgTypes.float8,
  element: { oid: PgTypes.OID.float8 }
})
export const boolean = typed<boolean>({ name: "boolean", element: { oid: PgTypes.OID.bool } })
export const text = typed<string>({ name: "text", element: { oid: PgTypes.OID.text } })
export const uuid = typed<string>({ name: "uuid", element: { oid: PgTypes.OID.uuid } })

/** To the millisecond: the driver rounds the microseconds of later centuries, which are no exact numbers. */
export const timestamptz = typed<DateTime.Utc>({
  name: "timestamptz(3)",
  encode: (value) => PgTypes.timestamptz(value === null ? null : millisOf(value)),
  element: { oid: PgTypes.OID.timestamptz, encode: millisOf }
})

/** JSON that is text already. */
export const json = typed<string>({ name: "json", element: { oid: PgTypes.OID.text, name: "text" } })
export const jsonb = typed<string>({ name: "jsonb", element: { oid: PgTypes.OID.text, name: "text" } })

export const integers = arrayOf<number>("integer", PgTypes.OID.int4)
export const texts = arrayOf<string>("text", PgTypes.OID.text)
export const uuids = arrayOf<string>("uuid", PgTypes.OID.uuid)

/** The bucket to which a statement keeps. */
export const inBucket = smallint(({ bucket }: InBucket) => bucket)

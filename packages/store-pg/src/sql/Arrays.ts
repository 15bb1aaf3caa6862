/** Columns of many rows, as typed array parameters for `unnest`: an array of nothing but nulls has a type too. */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"

const arrayOf =
  <Value>(oid: number) =>
  (values: ReadonlyArray<Value | null>): PgTypes.Parameter =>
    Result.getOrThrow(PgTypes.array(values, oid))

export const uuids = arrayOf<string>(PgTypes.OID.uuid)
export const texts = arrayOf<string>(PgTypes.OID.text)
export const integers = arrayOf<number>(PgTypes.OID.int4)
export const doubles = arrayOf<number>(PgTypes.OID.float8)
export const booleans = arrayOf<boolean>(PgTypes.OID.bool)

export const instants = (values: ReadonlyArray<DateTime.Utc | null>): PgTypes.Parameter =>
  arrayOf<number>(PgTypes.OID.timestamptz)(values.map((value) => value && value.epochMilliseconds))

/** Arrays cannot hold arrays of differing lengths, so each is written as text: cast it to `text[]`. For plain words only. */
export const wordLists = (values: ReadonlyArray<ReadonlyArray<string> | null>): PgTypes.Parameter =>
  texts(values.map((words) => words && `{${words.join(",")}}`))

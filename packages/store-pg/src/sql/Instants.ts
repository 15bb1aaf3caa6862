/** Instants as the driver returns them: `DateTime.Utc`, so that rows decode with the core's schemas. */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"

const oid = PgTypes.OID.timestamptz

/** The codecs of a client whose rows hold instants. */
export const registry = PgTypes.makeRegistry()

registry.register<unknown>(
  oid,
  {
    encode: (value) => PgTypes.encode(value, oid),
    decode: (bytes) =>
      Result.flatMap(PgTypes.decode(bytes, oid, 1), (date) =>
        date instanceof Date && !Number.isNaN(date.getTime())
          ? Result.succeed(DateTime.makeUnsafe(date))
          : Result.fail(new PgTypes.CodecError({ message: "Expected an instant" }))
      )
  },
  { arrayOid: PgTypes.OID.timestamptzArray }
)

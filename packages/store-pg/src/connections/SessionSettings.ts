/**
 * What the stores need of a session, whatever the role, the database or the server has set: it is asked for at
 * connect. A pooler may drop that, so what a session has in the end is looked at when the service starts.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { isProtocolViolation } from "../database/Outages.ts"

/** Session parameters, by their names in PostgreSQL, in small letters as the driver sends them. */
export type SessionParameters = { readonly [name: string]: string }

/** Statements decide by what others have committed, and values have one spelling. */
export const needs: SessionParameters = {
  client_encoding: "UTF8",
  default_transaction_isolation: "read committed",
  standard_conforming_strings: "on",
  datestyle: "ISO, MDY",
  intervalstyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1"
}

/** The encoding of a database is chosen when it is made. */
const encoding = "server_encoding"

/** A database or a session in which some values or transactions would go wrong. Nothing was changed in it. */
export class SessionUnfit extends Schema.TaggedError<SessionUnfit>()("SessionUnfit", {
  name: Schema.String,
  value: Schema.String
}) {
  override get message() {
    return this.name === encoding
      ? `the database has the encoding ${this.value}, and Runhook needs UTF8: make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`
      : `${this.name} is ${this.value}, and Runhook needs ${needs[this.name]}: a pooler keeps the service from setting it, so ALTER ROLE … RESET ${this.name}, and the same for the database`
  }
}

const found = `SELECT lower(name) AS name, setting FROM pg_settings WHERE lower(name) IN ('${[encoding, ...Object.keys(needs)].join("', '")}')`

const SettingRows = Schema.Array(Schema.Struct({ name: Schema.String, setting: Schema.String }))

const isFit = (name: string, value: string): boolean => {
  switch (name) {
    case encoding:
      return value === "UTF8"
    case "datestyle":
      return value.startsWith("ISO,")
    case "extra_float_digits":
      return Number(value) >= 1
    default:
      return value === needs[name]
  }
}

const checked = Effect.fnUntraced(function* (options: PgConnection.Config, parameters: SessionParameters) {
  const connection = yield* PgConnection.make({
    ...options,
    startupParameters: { ...parameters, ...options.startupParameters }
  })
  const { rows } = yield* connection.query(found, [], false)
  const unfit = (yield* Effect.orDie(Schema.decodeUnknownEffect(SettingRows)(rows))).find(
    ({ name, setting }) => !isFit(name, setting)
  )
  if (unfit !== undefined) return yield* new SessionUnfit({ name: unfit.name, value: unfit.setting })
  return parameters
}, Effect.scoped)

/**
 * The parameters with which a session may begin: none of them if the server or a pooler refuses any. Fails if the
 * session is unfit then.
 */
export const accepted = (
  options: PgConnection.Config,
  parameters: SessionParameters
): Effect.Effect<SessionParameters, SessionUnfit | SqlError> =>
  checked(options, parameters).pipe(
    Effect.catchIf(
      (error) => error._tag === "SqlError" && isProtocolViolation(error),
      () => checked(options, {})
    )
  )

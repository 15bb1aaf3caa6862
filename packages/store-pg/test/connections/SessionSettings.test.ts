import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { needs } from "../../src/connections/SessionSettings.ts"
import * as PgDatabase from "../../src/PgDatabase.ts"
import { layerEmpty, TestDatabase } from "../TestDatabase.ts"
import { makePooler } from "./Pooler.ts"

/** What a database may say otherwise, for all of its sessions. */
const others: Readonly<Record<string, string>> = {
  client_encoding: "LATIN1",
  default_transaction_isolation: "serializable",
  standard_conforming_strings: "off",
  datestyle: "German",
  intervalstyle: "iso_8601",
  bytea_output: "escape",
  extra_float_digits: "-5"
}

const run = (url: Redacted.Redacted, statement: string) =>
  Effect.provide(
    SqlClient.use((sql) => sql.unsafe(statement)),
    PgDatabase.layerWithoutMigrations({ url, maxConnections: 1 }),
    { local: true }
  )

const databaseOf = (url: Redacted.Redacted) => new URL(Redacted.value(url)).pathname.slice(1)

/** What a session of the service has of a setting. */
const found = (url: Redacted.Redacted, name: string) =>
  Effect.provide(
    SqlClient.use((sql) => sql`SELECT current_setting(${name}) AS value`),
    PgDatabase.layer({ url, maxConnections: 2 }),
    { local: true }
  )

describe("a session", () => {
  it.layer(layerEmpty, { excludeTestServices: true })((it) => {
    it.effect.each(Object.entries(needs))(
      "has what the service needs, whatever is the default: %s",
      ([name, value]) =>
        Effect.gen(function* () {
          const { url } = yield* TestDatabase
          yield* run(url, `ALTER DATABASE ${databaseOf(url)} SET ${name} = '${others[name]}'`)

          const rows = yield* found(url, name)
          const described = yield* PgDatabase.checked({ url })

          yield* run(url, `ALTER DATABASE ${databaseOf(url)} RESET ${name}`)
          assert.deepStrictEqual(rows, [{ value }])
          assert.match(described, /^PostgreSQL/)
        })
    )

    it.effect.each(Object.keys(needs).filter((name) => name !== "client_encoding"))(
      "that a pooler keeps from it is refused by the name of the setting: %s",
      (name) =>
        Effect.gen(function* () {
          const { url } = yield* TestDatabase
          const pooled = yield* makePooler({ mode: "session", parameters: [] })
          yield* run(url, `ALTER DATABASE ${databaseOf(url)} SET ${name} = '${others[name]}'`)

          const refusals = yield* Effect.all([
            Effect.flip(found(pooled, name)),
            Effect.flip(PgDatabase.checked({ url: pooled })),
            Effect.flip(PgDatabase.upToDate({ url: pooled }))
          ])

          yield* run(url, `ALTER DATABASE ${databaseOf(url)} RESET ${name}`)
          for (const { message } of refusals) assert.match(message, new RegExp(`^${name} is .*RESET ${name}`))
        })
    )

    it.effect.each(["LATIN1", "SQL_ASCII"])("in a database of the encoding %s is refused", (encoding) =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const name = `${databaseOf(url)}_${encoding.toLowerCase()}`
        yield* run(url, `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`)
        const there = new URL(Redacted.value(url))
        there.pathname = `/${name}`
        const options = { url: Redacted.make(there.href) }

        const refusals = yield* Effect.all([
          Effect.flip(found(options.url, "client_encoding")),
          Effect.flip(PgDatabase.checked(options)),
          Effect.flip(PgDatabase.upToDate(options))
        ])

        yield* run(url, `DROP DATABASE ${name}`)
        for (const { message } of refusals) {
          assert.strictEqual(
            message,
            `the database has the encoding ${encoding}, and Runhook needs UTF8: make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`
          )
        }
      })
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmpty, TestDatabase } from "../TestDatabase.ts"
import { needs } from "../../src/connections/SessionSettings.ts"
import { makePooler } from "./Pooler.ts"

const limits = [
  ...Object.keys(needs),
  "statement_timeout",
  "idle_in_transaction_session_timeout",
  "tcp_keepalives_idle",
  "tcp_user_timeout",
  "enable_seqscan",
  "jit"
]

/** After how many milliseconds a session there ends a statement by itself, once everything is ready; 0 for never. */
const limitBy = (url: Redacted.Redacted) =>
  SqlClient.use((sql) => sql`SELECT setting FROM pg_settings WHERE name = 'statement_timeout'`).pipe(
    Effect.provide(PgDatabase.layer({ url, maxConnections: 2 }), { local: true })
  )

describe("a database", () => {
  it.layer(layerEmpty, { excludeTestServices: true })((it) => {
    it.effect("has limits for each session, for when this process is killed", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* limitBy((yield* TestDatabase).url), [{ setting: "60000" }])
      })
    )

    it.effect("plans nothing to read a whole table that has an index, while it is empty either", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase

        const plan = yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`CREATE TABLE waiting (bucket smallint, id uuid, PRIMARY KEY (bucket, id))`
          yield* sql`ANALYZE waiting`
          return yield* sql`EXPLAIN (COSTS OFF) DELETE FROM waiting WHERE bucket = 1`
        }).pipe(Effect.provide(PgDatabase.layer({ url, maxConnections: 2 }), { local: true }))

        assert.isFalse(JSON.stringify(plan).includes("Seq Scan"), JSON.stringify(plan))
      })
    )

    it.effect("may lie behind a pooler that gives each connection a session", () =>
      Effect.gen(function* () {
        const url = yield* makePooler({ mode: "session", parameters: limits })

        assert.deepStrictEqual(yield* limitBy(url), [{ setting: "60000" }])
      })
    )

    it.effect("may lie behind one that does not know the limits of a session, and is used without them", () =>
      Effect.gen(function* () {
        const url = yield* makePooler({ mode: "session", parameters: [] })

        assert.deepStrictEqual(yield* limitBy(url), [{ setting: "0" }])
      })
    )

    it.effect("is refused behind one that shares sessions among connections", () =>
      Effect.gen(function* () {
        const url = yield* makePooler({ mode: "transaction", parameters: limits })

        const refusals = [
          yield* Effect.flip(limitBy(url)),
          yield* Effect.flip(PgDatabase.checked({ url })),
          yield* Effect.flip(PgDatabase.upToDate({ url }))
        ]

        assert.deepStrictEqual(
          refusals.map(({ _tag }) => _tag),
          ["SessionsShared", "SessionsShared", "SessionsShared"]
        )
      })
    )
  })
})

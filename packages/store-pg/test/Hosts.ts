/** Transactions of a host, by our driver and by another one. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { inHostTransaction } from "@runhook/store-pg/HostTransaction"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import { timeout } from "./ProcessLayer.ts"
import { TestDatabase } from "./TestDatabase.ts"

/** The stores where their host has them. */
export const stores = (place: { readonly schema?: string }) =>
  PgStore.layerStores.pipe(
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(
      Layer.unwrap(
        TestDatabase.use(({ url }) => {
          const options = { url, maxConnections: 8, timeout, ...place }
          return Effect.as(PgDatabase.upToDate(options), PgDatabase.layer(options))
        })
      )
    ),
    Layer.provideMerge(TestDatabase.layer)
  )

/** Runs work in a transaction, and keeps what it did if it succeeds. */
type InTransaction = <A, E, R>(
  work: Effect.Effect<A, E, R>
) => Effect.Effect<A, unknown, R | PgClient.PgClient | TestDatabase>

const byOurDriver: InTransaction = (work) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.withTransaction(work))

const byAnotherDriver: InTransaction = (work) =>
  Effect.acquireUseRelease(
    Effect.flatMap(TestDatabase, ({ url }) =>
      Effect.promise(async () => {
        const client = new Client({ connectionString: Redacted.value(url) })
        await client.connect()
        await client.query("BEGIN")
        return client
      })
    ),
    (client) => inHostTransaction(client)(work),
    (client, exit) =>
      Effect.promise(async () => {
        await client.query(Exit.isSuccess(exit) ? "COMMIT" : "ROLLBACK")
        await client.end()
      })
  )

export const hosts = [
  { by: "by our own driver", inTransaction: byOurDriver, place: {} },
  { by: "by another driver", inTransaction: byAnotherDriver, place: {} },
  {
    by: "by another driver, with our tables in a schema of their own",
    inTransaction: byAnotherDriver,
    place: { schema: "runhook" }
  }
]

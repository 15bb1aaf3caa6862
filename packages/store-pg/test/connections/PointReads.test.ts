import { assert, describe, it } from "@effect/vitest"
import { AccountStore } from "@runhook/core/ports/AccountStore"
import { hasPassed } from "@runhook/store-pg/connections/Deadline"
import { connectionsMax, PointReads } from "@runhook/store-pg/connections/PointReads"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import { makeAccount } from "@runhook/store-testing/catalog/CatalogFixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated, TestDatabase } from "../TestDatabase.ts"
import { makeLine } from "./Line.ts"

const timeout = Duration.seconds(1)

/** Works by the stores of a client with one connection beside those of its point reads. */
const byStores = <A, E, R>(url: PgDatabase.Options["url"], work: Effect.Effect<A, E, R>) =>
  Effect.provide(
    work,
    PgStore.layerStores.pipe(
      Layer.provideMerge(PgDatabase.layerWithoutMigrations({ url, maxConnections: 1, timeout })),
      Layer.provideMerge(SecureRandom.layerWebCrypto)
    ),
    { local: true }
  )

/** Works in a transaction, which takes the one connection of the stores. */
const together = <A, E, R>(work: Effect.Effect<A, E, R>) => SqlClient.use((sql) => sql.withTransaction(work))

/** The process of PostgreSQL that serves a point read. */
const served = PointReads.use((reads) => reads`SELECT pg_backend_pid() AS process`)

describe("a point read", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("waits for no connection of the stores", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const { id } = yield* byStores(url, makeAccount())

        const found = yield* byStores(
          url,
          Effect.gen(function* () {
            const context = yield* Effect.context<AccountStore>()
            const accounts = AccountStore.use((store) => store.get(id))
            // In nobody's transaction, while one has the connection.
            return yield* together(Effect.promise(() => Effect.runPromiseWith(context)(accounts)))
          })
        )

        assert.strictEqual(found.id, id)
      })
    )

    it.effect("in a transaction sees what that has written, and nobody else does", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase

        yield* byStores(
          url,
          Effect.gen(function* () {
            const context = yield* Effect.context<AccountStore>()
            yield* together(
              Effect.gen(function* () {
                const { id } = yield* makeAccount()
                const found = AccountStore.use((store) => store.get(id))

                assert.strictEqual((yield* found).id, id)
                const others = yield* Effect.promise(() => Effect.runPromiseWith(context)(Effect.flip(found)))
                assert.strictEqual(others._tag, "AccountNotFound")
              })
            )
          })
        )
      })
    )

    it.effect("needs two connections, however many are asked at once", () =>
      Effect.gen(function* () {
        const line = yield* makeLine()

        const processes = yield* byStores(
          line.url,
          Effect.replicateEffect(served, 100, { concurrency: "unbounded" })
        )

        assert.isAtMost(new Set(processes.map(([row]) => row?.["process"])).size, connectionsMax)
        assert.isAtMost(line.opened(), connectionsMax)
      })
    )

    it.effect("is answered in time, and those that follow by another connection", () =>
      Effect.gen(function* () {
        const line = yield* makeLine()

        yield* byStores(
          line.url,
          Effect.gen(function* () {
            const before = yield* served
            line.loseConnections()

            const error = yield* Effect.flip(served)
            assert.isTrue(hasPassed(error), error.message)

            assert.notDeepEqual(yield* served, before)
          })
        )
      })
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import { tablesThat } from "@runhook/store-pg/schema/Ownership"
import * as PgStore from "@runhook/store-pg/PgStore"
import { eraseAll, erasable } from "@runhook/store-testing/accounts/AccountRemovalSuite"
import { plenty, second } from "@runhook/store-testing/Fixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { makeEveryRow } from "../released/EveryRow.ts"
import { tables } from "../released/Fixture.ts"
import { layerMigrated } from "../TestDatabase.ts"

const layer = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(Layer.merge(layerMigrated, Layer.succeed(StoreClock, "caller")))
)

/** Who did what, what was counted, and what is no account's. */
const kept = tablesThat(({ of }) => of === "record" || of === "service")

describe("An account that was removed", () => {
  it.layer(layer)((it) => {
    it.effect("leaves rows in no table but those of records and of the service", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const sweeps = yield* SweepStore
        yield* makeEveryRow
        // As if somebody had created all of it who still knew the account.
        yield* sql`UPDATE accounts SET name = '', removed_at = ${new Date(second(100).epochMilliseconds)}`
        const filled = Effect.flatMap(tables, (all) =>
          Effect.filter(all, (table) =>
            Effect.map(sql.unsafe(`SELECT FROM ${table} LIMIT 1`), (rows) => rows.length > 0)
          )
        )
        const before = yield* filled

        yield* eraseAll(erasable, 7)

        const files = yield* sweeps.leftOvers(plenty)
        const done = sql`SELECT id FROM accounts WHERE erased_at IS NOT NULL`
        const early = yield* done
        yield* sweeps.dropLeftOvers(files)
        yield* eraseAll()
        assert.deepStrictEqual(before, yield* tables)
        assert.isAbove(files.length, 0)
        assert.includeMembers([...kept], yield* filled)
        assert.includeMembers(yield* filled, ["accounts", "audit_log", "usage_sums"])
        // The second account has no files, so it is done before they are dropped.
        assert.deepStrictEqual([early.length, (yield* done).length], [1, 2])
      })
    )
  })
})

/**
 * What an execution writes to the log of PostgreSQL from its creation to the
 * last of three callbacks, in bytes of each table and index. Whoever makes one
 * of them a fifth larger, or all of them a little, learns it here. If it is worth that, or when something
 * has become smaller, the table is renewed:
 * `RUNHOOK_WAL_RENEW=true npx vitest run packages/store-pg/test/wal`
 */
import { assert, describe, it } from "@effect/vitest"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import { makeLifecycles } from "./Lifecycles.ts"
import { grownSince } from "./Table.ts"
import * as Wal from "./Wal.ts"

/** Enough of them that a page more or less makes no difference. */
const counted = 400

/** These come first, so that no page is touched for the first time since the checkpoint, and none is the first of its index. */
const warmUp = 200

const layer = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(Layer.merge(Wal.layer, Layer.succeed(StoreClock, "caller")))
)

/** Milliseconds for a server of its own and all lifecycles, on a busy machine. */
const timeout = 120_000

describe("What a lifecycle writes", () => {
  it.layer(layer, { timeout })((it) => {
    it.effect(
      "is no more in all than it was, and to no table and no index a fifth more",
      () =>
        Effect.gen(function* () {
          const wal = yield* Wal.Wal
          const live = yield* makeLifecycles
          yield* live(warmUp)

          const written = yield* wal.writtenBy(live(counted))
          const grown = yield* grownSince(Record.map(written, (bytes) => Math.round(bytes / counted)))

          assert.deepStrictEqual(grown, [])
        }),
      timeout
    )
  })
})

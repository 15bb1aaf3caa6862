/** The stores on a server that tells how it has run their statements. */
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import { LooksMax } from "@runhook/store-pg/sql/Looks"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ExplainingServer, layerOf as serverOf, type Version } from "./ExplainingServer.ts"

/** Fewer than a service lets a page look at, and more than a page has. */
export const looksMax = 5_000

/** What statements touch is counted, not how long a busy machine takes for it. */
const timeout = Duration.minutes(5)

export const layerOf = (version: Version) =>
  PgStore.layerStores.pipe(
    Layer.provide(Layer.succeed(LooksMax, looksMax)),
    Layer.provideMerge(
      Layer.unwrap(
        ExplainingServer.use(({ url }) =>
          Effect.succeed(PgDatabase.layer({ url, maxConnections: 2, timeout }))
        )
      )
    ),
    Layer.provideMerge(serverOf(version)),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  )

/** What one process of a service has of the stores: its own connections, and what it remembers. */
import { IsDistributed } from "@runhook/store-pg/accounts/Buckets"
import * as FollowingClock from "@runhook/store-pg/clock/FollowingClock"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { CurrentTransformer } from "effect/sql/Statement"

export interface Options {
  readonly clock?: "caller" | "database"
  /** Whether the database is one of several nodes. */
  readonly isDistributed?: boolean
  /** What happens before a statement of the process is sent. */
  readonly beforeStatement?: (text: string) => Effect.Effect<void>
}

/**
 * How long a statement may take where a test is not about that: a machine that others use too may stand still for
 * longer than callers wait.
 */
export const timeout = Duration.minutes(2)

/** The stores of a process, and its client. */
export const layerProcess = (
  url: Redacted.Redacted,
  { beforeStatement = () => Effect.void, clock = "caller", isDistributed = false }: Options = {}
) =>
  PgStore.layerStores.pipe(
    Layer.provide(
      isDistributed && clock === "database" ? FollowingClock.layerStores : Layer.succeed(StoreClock, clock)
    ),
    Layer.provide(Layer.succeed(IsDistributed, isDistributed)),
    Layer.provideMerge(PgDatabase.layerWithoutMigrations({ url, maxConnections: 8, timeout })),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provide(
      Layer.succeed(CurrentTransformer, (statement) =>
        Effect.as(beforeStatement(statement.compile()[0]), statement)
      )
    )
  )

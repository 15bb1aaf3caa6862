/** The PostgreSQL of the settings: connected, brought up to date, and checked for writes. */
import * as StoreOutages from "@runhook/core/engine/StoreOutages"
import * as Embedded from "@runhook/embedded-postgres/EmbeddedPostgres"
import { ReadinessChecks } from "@runhook/http/probes/Health"
import { Writability } from "@runhook/store-pg/database/Writability"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { awaitedLayer } from "./AwaitedDatabase.ts"

/**
 * Enough to keep a database busy, and few enough that PostgreSQL's hundred are
 * enough for several processes.
 */
const maxConnections = 12

/**
 * Connections that stay open while idle: a new one would plan all its statements again, of which a claim alone takes
 * 5 ms.
 */
const minConnections = 4

/** How this service connects to a database. */
export const optionsOf = (url: Redacted.Redacted, timeout: Duration.Duration): PgDatabase.Options => ({
  url,
  timeout,
  minConnections,
  maxConnections,
  applicationName: "runhook"
})

/** A database that the operator runs. */
export const layer = (url: Redacted.Redacted, timeout: Duration.Duration) =>
  awaitedLayer(() => PgDatabase.layer(optionsOf(url, timeout)))

/** A database that is started in that folder, and stopped after the last connection has closed. */
export const layerEmbedded = (directory: string, timeout: Duration.Duration) =>
  Layer.unwrap(Embedded.EmbeddedPostgres.use(({ url }) => Effect.succeed(layer(url, timeout)))).pipe(
    Layer.provide(Embedded.layer({ directory }))
  )

/** The service is ready as long as its database takes writes. */
const layerReadiness = Layer.effect(
  ReadinessChecks,
  Writability.useSync(({ check }) => [{ name: "database", check }])
)

/** Lets the log say once that the database is away or refuses, instead of for each request. */
const layerOutages = Layer.unwrap(Writability.useSync(({ check }) => StoreOutages.layer(check)))

/** Both, since they ask the same question. */
export const layerWatch = Layer.merge(layerReadiness, layerOutages).pipe(Layer.provide(Writability.layer))

/** The connection of the stores: a pool whose rows decode with the core's schemas, on an up-to-date schema. */
import * as PgClient from "@effect/sql-pg/PgClient"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { IsDistributed } from "./accounts/Buckets.ts"
import * as FollowingClock from "./clock/FollowingClock.ts"
import * as Client from "./connections/Client.ts"
import { DatabaseTimeout, timeoutDefault } from "./connections/Deadline.ts"
import { shownLoad } from "./connections/PoolLoad.ts"
import { citusLimitsOf, keepAlive, limitsOf, withoutLimits } from "./connections/ServerLimits.ts"
import { accepted, needs, type SessionParameters } from "./connections/SessionSettings.ts"
import { secured } from "./connections/Tls.ts"
import { checkedDistribution, distribute, placement } from "./database/Distribution.ts"
import { checkedServer } from "./database/FitServer.ts"
import { layerLookTurns } from "./database/Nodes.ts"
import { checkedSchema } from "./database/SchemaVersion.ts"
import { functions } from "./functions/Functions.ts"
import { install } from "./functions/Installation.ts"
import { migrations } from "./migrations/Migrations.ts"
import { migrateTo } from "./migrations/Migrator.ts"
import { registry } from "./sql/Instants.ts"

/** Where the database is, and how many connections to hold: the driver's options that users may set. */
export type Options = Omit<
  PgClient.PgPoolConfig,
  "types" | "transformResultNames" | "transformQueryNames" | "connectTimeout" | "keepAlive" | "multiplex"
> & {
  /** The schema in which all tables lie, made when it is missing. Default: where the user's tables lie, usually `public`. */
  readonly schema?: string
  /**
   * After this time, a caller that waits for a statement or a transaction gets `StoreUnavailable`, and its connection
   * is given up. Default: 5 seconds.
   */
  readonly timeout?: Duration.Duration
}

/** A pool on a database whose tables exist already. */
export const layerWithoutMigrations = (options: Options) =>
  Layer.unwrap(Effect.map(secured(options), (known) => layerOf(known, limitsOf(timeoutOf(options)))))

/** A pool on a database, after missing tables and functions were added. */
export const layer = (options: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { done: isCitus } = yield* prepared(options, checkedDistribution)
      const known = yield* secured(options)
      const ofCitus = isCitus ? citusLimitsOf(timeoutOf(options)) : {}
      const wanted = { ...limitsOf(timeoutOf(options)), ...ofCitus }
      const limits = yield* accepted(configOf(known, {}), wanted)
      if (limits !== wanted) yield* Effect.logWarning(withoutLimits(wanted))
      const client = layerOf(known, limits)
      return isCitus ? Layer.provideMerge(layerDistributed, client) : client
    })
  )

/**
 * Adds missing tables and functions, if the server and the schema version are supported, and distributes the tables on
 * Citus. Answers what was added, which tables were distributed, and which functions installed.
 */
export const upToDate = (options: Options) =>
  Effect.map(prepared(options, distribute), ({ done, ...added }) => ({ ...added, distributed: done }))

/** Adds missing tables, runs `next` with them, then installs functions, which need them distributed. */
const prepared = <A, E>(options: Options, next: Effect.Effect<A, E, SqlClient>) =>
  Effect.gen(function* () {
    yield* checkedServer
    yield* schemaOf(options)
    return {
      applied: yield* migrateTo(migrations),
      done: yield* next,
      installed: yield* install(functions())
    }
  }).pipe(Effect.provide(layerOfStart(options), { local: true }))

/** Describes the server, if it and its schema are supported. */
export const checked = (options: Options) =>
  Effect.gen(function* () {
    const version = yield* checkedServer
    const applied = yield* checkedSchema(migrations)
    const nodes = applied.size === 0 ? undefined : yield* placement
    return `PostgreSQL ${version}${nodes === undefined ? "" : ` and ${nodes}`}`
  }).pipe(Effect.provide(layerOfStart(options), { local: true }))

/** What the stores need when rows are distributed over several nodes. */
const layerDistributed = Layer.mergeAll(
  FollowingClock.layerStores,
  Layer.succeed(IsDistributed, true),
  layerLookTurns
)

/**
 * The connection for startup work. It has no time limits, since migrations may take long, and prepares nothing, since
 * an unfit pooler would mix up prepared statements.
 */
export const layerOfStart = (options: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const known = yield* secured({ ...options, prepare: false, minConnections: 0, maxConnections: 2 })
      const parameters = yield* accepted(configOf(known, {}), needs)
      return Layer.merge(PgClient.layerFrom(Client.make(configOf(known, parameters))), layerTimeout(options))
    })
  )

const layerOf = (options: Options, limits: SessionParameters) =>
  Layer.merge(layerClient(configOf(options, limits)), layerTimeout(options))

/** The client of the stores. */
const layerClient = (options: Client.Options) =>
  PgClient.layerFrom(
    Effect.flatMap(shownLoad(options.maxConnections ?? 10), (load) => Client.make({ ...options, load }))
  )

const layerTimeout = (options: Options) => Layer.succeed(DatabaseTimeout, timeoutOf(options))

const timeoutOf = ({ timeout = timeoutDefault }: Options): Duration.Duration => timeout

const configOf = ({ schema, ...options }: Options, limits: SessionParameters): Client.Options => ({
  ...options,
  startupParameters: {
    ...limits,
    ...options.startupParameters,
    ...(schema === undefined ? {} : { search_path: `"${schema}"` })
  },
  timeout: timeoutOf(options),
  keepAlive,
  types: registry
})

const schemaOf = Effect.fnUntraced(function* ({ schema }: Options) {
  if (schema === undefined) return
  const sql = yield* SqlClient
  const making = Effect.asVoid(sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`)
  // If two processes start at once, the second may be refused, and then finds what the first made.
  yield* Effect.retry(making, { times: 1 })
})

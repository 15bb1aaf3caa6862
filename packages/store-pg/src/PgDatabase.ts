/** The connection of the stores: a pool whose rows decode with the schemas of the core, on a schema that is up to date. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import * as FollowingClock from "./clock/FollowingClock.ts"
import * as Client from "./connections/Client.ts"
import { DatabaseTimeout, timeoutDefault } from "./connections/Deadline.ts"
import * as Pipelines from "./connections/Pipelines.ts"
import * as PointReads from "./connections/PointReads.ts"
import { accepted, keepAlive, limitsOf, type ServerLimits } from "./connections/ServerLimits.ts"
import { checkedSessions } from "./connections/SharedSessions.ts"
import { checkedDistribution, distribute, placement } from "./database/Distribution.ts"
import { IsDistributed } from "./database/Nodes.ts"
import { checkedSchema } from "./database/SchemaVersion.ts"
import { checkedVersion } from "./database/ServerVersion.ts"
import { migrations } from "./migrations/Migrations.ts"
import { migrateTo } from "./migrations/Migrator.ts"
import { registry } from "./sql/Instants.ts"

/** Where the database is, and how many connections to hold: those of the driver that are ours to leave open. */
export type Options = Omit<
  PgClient.PgPoolConfig,
  "types" | "transformResultNames" | "transformQueryNames" | "connectTimeout" | "keepAlive" | "multiplex"
> & {
  /** The schema in which all tables lie, made when it is missing. Default: where the user's tables lie, usually `public`. */
  readonly schema?: string
  /**
   * After that long whoever waits for a statement or a transaction gets
   * `StoreUnavailable`, and its connection is given up. Default: 5 seconds.
   */
  readonly timeout?: Duration.Duration
}

/** A pool that expects the tables to be there. */
export const layerWithoutMigrations = (options: Options) => layerOf(options, limitsOf(timeoutOf(options)))

/** A pool, after whatever is missing of the tables was added. */
export const layer = (options: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { done: isCitus } = yield* prepared(options, checkedDistribution)
      const clients = layerOf(options, yield* accepted(configOf(options, {}), limitsOf(timeoutOf(options))))
      return isCitus ? Layer.provideMerge(layerDistributed, clients) : clients
    })
  )

/**
 * Adds whatever is missing of the tables, to a server that will do and a schema
 * that is not too new, and distributes them where that is Citus. Answers what was
 * added, and which tables were distributed.
 */
export const upToDate = (options: Options) =>
  Effect.map(prepared(options, distribute), ({ applied, done }) => ({ applied, distributed: done }))

/** Adds what is missing, and does something with the tables then. */
const prepared = <A, E>(options: Options, next: Effect.Effect<A, E, SqlClient>) =>
  Effect.gen(function* () {
    yield* checkedSessions
    yield* checkedVersion
    yield* schemaOf(options)
    return { applied: yield* migrateTo(migrations), done: yield* next }
  }).pipe(Effect.provide(layerOfStart(options), { local: true }))

/** Answers what the server is, in words, if it and its schema will do. */
export const checked = (options: Options) =>
  Effect.gen(function* () {
    yield* checkedSessions
    const version = yield* checkedVersion
    const applied = yield* checkedSchema(migrations)
    const nodes = applied.size === 0 ? undefined : yield* placement
    return `PostgreSQL ${version}${nodes === undefined ? "" : ` and ${nodes}`}`
  }).pipe(Effect.provide(layerOfStart(options), { local: true }))

/** What the stores do otherwise where rows lie on several nodes. */
export const layerDistributed = Layer.merge(FollowingClock.layerStores, Layer.succeed(IsDistributed, true))

/** For what a start does once: without the limits, since migrations may take long, and with nothing prepared, which an unfit pooler would mix up. */
const layerOfStart = (options: Options) =>
  Layer.merge(
    PgClient.layerFrom(
      Client.make(configOf({ ...options, prepare: false, minConnections: 0, maxConnections: 2 }, {}))
    ),
    layerTimeout(options)
  )

const layerOf = (options: Options, limits: ServerLimits) =>
  Layer.merge(layerClients(configOf(options, limits)), layerTimeout(options))

/** The client of the stores, and beside it that of point reads, and what goes out in one write. */
const layerClients = (config: Client.Options) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const shared = yield* PointReads.open(config)
      // What was asked there may be answered by the same server, which would go on to answer of a time gone by.
      const client = yield* Client.make({ ...config, onReadOnly: shared.renew })
      const reads = yield* PointReads.make(shared.borrower, client)
      const pipelines = yield* Pipelines.open({ ...config, onReadOnly: shared.renew })
      return Context.make(PgClient.PgClient, client).pipe(
        Context.add(SqlClient, client),
        Context.add(PointReads.PointReads, reads),
        Context.add(Pipelines.Pipelines, pipelines)
      )
    })
  ).pipe(Layer.provide(Reactivity.layer))

const layerTimeout = (options: Options) => Layer.succeed(DatabaseTimeout, timeoutOf(options))

const timeoutOf = ({ timeout = timeoutDefault }: Options): Duration.Duration => timeout

const configOf = ({ schema, ...options }: Options, limits: ServerLimits): Client.Options => ({
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
  // Of two starters at once the second may be refused, and finds it the next time.
  yield* Effect.retry(making, { times: 1 })
})

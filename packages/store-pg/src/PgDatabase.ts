/** The connection of the stores: a pool whose rows decode with the schemas of the core, on a schema that is up to date. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { registry } from "./Instants.ts"
import { migrate } from "./migrations/Migrations.ts"
import { checkedSchema } from "./SchemaVersion.ts"
import { checkedVersion } from "./ServerVersion.ts"

/** Where the database is, and how many connections to hold: those of the driver that are ours to leave open. */
export type Options = Omit<
  PgClient.PgPoolConfig,
  "types" | "transformResultNames" | "transformQueryNames"
> & {
  /** The schema in which all tables lie, made when it is missing. Default: where the user's tables lie, usually `public`. */
  readonly schema?: string
}

/** A pool that expects the tables to be there. */
export const layerWithoutMigrations = ({ schema, ...options }: Options) =>
  PgClient.layer({ ...options, ...(schema === undefined ? {} : tablesIn(schema)), types: registry })

const tablesIn = (schema: string) => ({ startupParameters: { search_path: `"${schema}"` } })

/** Adds whatever is missing of the tables, to a server that is new enough and a schema that is not too new. */
export const upToDate = checkedVersion.pipe(
  Effect.andThen(migrate),
  // Of a schema that is too new nothing was missing. Asked afterwards, since it may become so meanwhile.
  Effect.tap(() => checkedSchema)
)

/** A pool, after whatever is missing of the tables was added. */
export const layer = (options: Options) =>
  Layer.effectDiscard(Effect.andThen(schemaOf(options), Effect.asVoid(upToDate))).pipe(
    Layer.provideMerge(layerWithoutMigrations(options))
  )

const schemaOf = Effect.fnUntraced(function* ({ schema }: Options) {
  if (schema === undefined) return
  const sql = yield* SqlClient
  const making = Effect.asVoid(sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`)
  // Of two starters at once the second may be refused, and finds it the next time.
  yield* Effect.retry(making, { times: 1 })
})

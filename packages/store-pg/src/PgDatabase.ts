/** The connection of the stores: a pool whose rows decode with the schemas of the core, on a schema that is up to date. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { registry } from "./Instants.ts"
import { migrate } from "./migrations/Migrations.ts"
import { checkedVersion } from "./ServerVersion.ts"

/** Where the database is, and how many connections to hold: those of the driver that are ours to leave open. */
export type Options = Omit<PgClient.PgPoolConfig, "types" | "transformResultNames" | "transformQueryNames">

/** A pool that expects the schema to be there. */
export const layerWithoutMigrations = (options: Options) => PgClient.layer({ ...options, types: registry })

/** Adds whatever is missing of the schema, to a server that is new enough. */
export const upToDate = Effect.andThen(checkedVersion, migrate)

/** A pool, after whatever is missing of the schema was added. */
export const layer = (options: Options) =>
  Layer.effectDiscard(Effect.asVoid(upToDate)).pipe(Layer.provideMerge(layerWithoutMigrations(options)))

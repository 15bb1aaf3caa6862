/** A database in use: accounts with a history, and nothing that waits. */
import type { Options } from "./Bench.ts"
import type { Ours } from "./Ours.ts"
import type * as Postgres from "./Postgres.ts"
import { pastRows, seedPast } from "./Seeding.ts"
import * as Service from "./Service.ts"

export interface Past {
  readonly database: Postgres.Database
  readonly tenants: ReadonlyArray<Service.Tenant>
}

/**
 * The accounts are made over the API, by a process that has ended when this answers; in a quick run
 * by the one that all benches share.
 */
export const start = async (
  server: Postgres.Server,
  { accounts, capacity }: { readonly accounts: number; readonly capacity: number },
  { folder, ours, quick }: Pick<Options, "folder" | "ours" | "quick">
): Promise<Past> => {
  const make = async ({ database, service }: Pick<Ours, "database" | "service">): Promise<Past> => {
    const tenants = await Service.makeTenants(service, accounts, capacity)
    await seedPast(database, tenants, pastRows({ quick }))
    return { database, tenants }
  }
  if (quick) return make(await ours())
  await using resources = new AsyncDisposableStack()
  const database = await server.database("service")
  return await make({
    database,
    service: await Service.start({ databaseUrl: database.url, folder, profile: null }, resources)
  })
}

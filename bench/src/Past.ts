/** A database in use: accounts with a history, and nothing that waits. */
import type { Options } from "./Bench.ts"
import type * as Postgres from "./Postgres.ts"
import { pastRows, seedPast } from "./Seeding.ts"
import * as Service from "./Service.ts"

export interface Past {
  readonly database: Postgres.Database
  readonly tenants: ReadonlyArray<Service.Tenant>
}

/** The accounts are made over the API, by a process that has ended when this answers. */
export const start = async (
  server: Postgres.Server,
  { accounts, capacity }: { readonly accounts: number; readonly capacity: number },
  { folder, quick }: Pick<Options, "folder" | "quick">
): Promise<Past> => {
  const database = await server.database("service")
  const tenants = await makeTenants({ databaseUrl: database.url, folder, profile: null }, accounts, capacity)
  await seedPast(database, tenants, pastRows({ quick }))
  return { database, tenants }
}

const makeTenants = async (options: Service.Options, count: number, capacity: number) => {
  await using resources = new AsyncDisposableStack()
  return await Service.makeTenants(await Service.start(options, resources), count, capacity)
}

/** A dispatcher of the service in a process of its own, and accounts on whose behalf it sends. */
import type { Options } from "./Bench.ts"
import type * as Postgres from "./Postgres.ts"
import * as Service from "./Service.ts"

export interface Dispatching {
  readonly database: Postgres.Database
  readonly dispatcher: Service.Service
  readonly tenants: ReadonlyArray<Service.Tenant>
}

/** The accounts are made over the API, by a process that has ended when this answers. */
export const start = async (
  server: Postgres.Server,
  accounts: number,
  { folder, profile, resources }: Pick<Options, "folder" | "profile" | "resources">
): Promise<Dispatching> => {
  const database = await server.database("service")
  const databaseUrl = database.url
  const tenants = await makeTenants({ databaseUrl, folder, profile: null, roles: "api" }, accounts)
  const dispatcher = await Service.start({ databaseUrl, folder, profile, roles: "dispatcher" }, resources)
  return { database, dispatcher, tenants }
}

const makeTenants = async (
  options: Service.Options,
  count: number
): Promise<ReadonlyArray<Service.Tenant>> => {
  await using resources = new AsyncDisposableStack()
  const service = await Service.start(options, resources)
  const tenants = new Array<Service.Tenant>()
  while (tenants.length < count) tenants.push(await Service.makeTenant(service, 1))
  return tenants
}

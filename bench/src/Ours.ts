/** The service on a database of its own, and the server of that and of what it is compared with. */
import * as Postgres from "./Postgres.ts"
import * as Service from "./Service.ts"

export interface Ours {
  readonly server: Postgres.Server
  readonly database: Postgres.Database
  readonly service: Service.Service
}

export const start = async (
  options: Pick<Service.Options, "folder" | "profile">,
  resources: AsyncDisposableStack
): Promise<Ours> => {
  const server = await Postgres.start(resources)
  const database = await server.database("ours")
  const service = await Service.start({ ...options, databaseUrl: database.url }, resources)
  return { server, database, service }
}

/** How many executions a second callers can queue over HTTP, durably; beside `pgbench` and a plain handler. */
import { fileURLToPath } from "node:url"
import type { Bench, Options } from "./Bench.ts"
import { load, type Measured, type Target } from "./Load.ts"
import * as Postgres from "./Postgres.ts"
import * as Program from "./Program.ts"
import { medianOf, printTable, progress, ratio } from "./Report.ts"
import * as OneByOne from "./rivals/OneByOne.ts"
import * as Service from "./Service.ts"

/** PostgreSQL allows a hundred connections, and the service and the handler have some of them. */
const clientsMax = 64

const fastifyInsert = fileURLToPath(new URL("rivals/FastifyInsert.ts", import.meta.url))

interface Round {
  readonly service: Measured
  readonly fastify: Measured
  readonly oneByOne: number
}

export const create: Bench = async ({ folder, profile, quick, resources }) => {
  const seconds = quick ? 1 : 4
  const rounds = quick ? 1 : 3
  const server = await Postgres.start(resources)
  const service = await startService({ folder, profile }, server, resources)
  const fastify = await startFastify(server, resources)
  const other = await server.database("one_by_one")
  await Postgres.migrate(other)
  const committer = await OneByOne.find({ server, url: other.url, folder })

  progress("create: warming up")
  await load(service, { connections: 64, seconds: quick ? 1 : 20 })
  await load(fastify, { connections: 64, seconds: quick ? 1 : 4 })

  const rows = []
  for (const connections of quick ? [1, 64] : [1, 16, 64, 256]) {
    const clients = Math.min(connections, clientsMax)
    const measured: Array<Round> = []
    for (let round = 1; round <= rounds; round++) {
      progress(`create: ${connections} connections, round ${round} of ${rounds}`)
      measured.push({
        service: await load(service, { connections, seconds }),
        oneByOne: await committer.run({ clients, seconds }),
        fastify: await load(fastify, { connections, seconds })
      })
    }
    rows.push({
      connections,
      "service/s": medianOf(measured, (round) => round.service.perSecond),
      "p50 ms": medianOf(measured, (round) => round.service.p50),
      "p99 ms": medianOf(measured, (round) => round.service.p99),
      "CPU us": medianOf(measured, (round) => round.service.cpuMicros),
      "busy cores": medianOf(measured, (round) => round.service.busyCores),
      [`${committer.name}/s`]: medianOf(measured, (round) => round.oneByOne),
      "service to it": ratioOf(measured, (round) => round.oneByOne),
      "fastify/s": medianOf(measured, (round) => round.fastify.perSecond),
      "fastify CPU us": medianOf(measured, (round) => round.fastify.cpuMicros),
      "service to fastify": ratioOf(measured, (round) => round.fastify.perSecond)
    })
  }
  printTable(`create, on ${server.name}`, rows)
}

/** Both sides of a ratio come from the same round. */
const ratioOf = (rounds: ReadonlyArray<Round>, other: (round: Round) => number): string =>
  ratio(
    medianOf(rounds, (round) => round.service.perSecond / other(round)),
    1
  )

const startService = async (
  { folder, profile }: Pick<Options, "folder" | "profile">,
  server: Postgres.Server,
  resources: AsyncDisposableStack
): Promise<Target> => {
  const database = await server.database("service")
  const program = await Service.start({ databaseUrl: database.url, folder, profile }, resources)
  const tenant = await Service.makeTenant(program, 1)
  return {
    program,
    url: `${program.baseUrl}/api/v1/integrations/executions`,
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${tenant.key}` },
    body: Service.creation(tenant, null)
  }
}

const startFastify = async (server: Postgres.Server, resources: AsyncDisposableStack): Promise<Target> => {
  const database = await server.database("fastify")
  await Postgres.migrate(database)
  const program = await Program.start(
    { args: [fastifyInsert], environment: { DATABASE_URL: database.url }, ready: /(http:\S+)/ },
    resources
  )
  const some = "01890000-0000-7000-8000-000000000001"
  const tenant = { agentId: some, taskId: some }
  return {
    program,
    url: `${program.said}/executions`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Service.creation(tenant, null)
  }
}

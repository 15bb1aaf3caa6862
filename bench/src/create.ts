/** Executions a second that callers can queue durably over HTTP; compared with `pgbench` and a plain handler. */
import { fileURLToPath } from "node:url"
import type { Bench, Options } from "./Bench.ts"
import { type Cpu, counting, cpuColumnsOverHttp, nobody } from "./Cpu.ts"
import { load, type Measured, type Target } from "./Load.ts"
import type { Ours } from "./Ours.ts"
import * as Postgres from "./Postgres.ts"
import * as Program from "./Program.ts"
import { medianOf, printTable, progress, ratioOfRounds } from "./Report.ts"
import * as OneByOne from "./rivals/OneByOne.ts"
import { pastRows, seedPast } from "./Seeding.ts"
import * as Service from "./Service.ts"

/** PostgreSQL allows a hundred connections, and the service and the handler have some of them. */
const clientsMax = 64

const fastifyInsert = fileURLToPath(new URL("rivals/FastifyInsert.ts", import.meta.url))

/** What every side has, and the rest where there are requests. */
interface Run extends Partial<Measured> {
  readonly perSecond: number
  readonly cpu: Cpu
}

interface Side {
  readonly name: string
  readonly run: (load: { readonly connections: number; readonly seconds: number }) => Promise<Run>
}

export const create: Bench = async (options) => {
  const { folder, quick, resources } = options
  const seconds = quick ? 0.2 : 4
  const rounds = quick ? 1 : 3
  const ours = await options.ours()
  const { server } = ours
  const target = await targetOf(ours, options)
  const handler = await startFastify(server, resources)
  const service: Side = { name: "service", run: (size) => load(target, size) }
  const fastify: Side = { name: "fastify", run: (size) => load(handler, size) }
  const oneByOne = await findOneByOne(server, folder)

  progress("create: warming up")
  const many = quick ? 8 : 64
  await service.run({ connections: many, seconds: quick ? 0.2 : 20 })
  await fastify.run({ connections: many, seconds })

  const rows = []
  for (const connections of quick ? [1, many] : [1, 16, 64, 256]) {
    const measured = new Map([service, oneByOne, fastify].map((side) => [side, new Array<Run>()]))
    for (let round = 1; round <= rounds; round++) {
      progress(`create: ${connections} connections, round ${round} of ${rounds}`)
      for (const [side, runs] of measured) runs.push(await side.run({ connections, seconds }))
    }
    const own = measured.get(service) ?? []
    for (const [{ name }, runs] of measured) rows.push({ connections, side: name, ...figuresOf(runs, own) })
  }
  printTable(`create, on ${server.name}`, rows)
}

const figuresOf = (runs: ReadonlyArray<Run>, ours: ReadonlyArray<Run>) => {
  const figure = (of: keyof Omit<Measured, "cpu">) => medianOf(runs, (run) => run[of] ?? Number.NaN)
  return {
    "creates/s": figure("perSecond"),
    "service to it": ratioOfRounds(ours, runs, (run) => run.perSecond),
    "p50 ms": figure("p50"),
    "p99 ms": figure("p99"),
    ...cpuColumnsOverHttp(runs),
    "busy cores": figure("busyCores")
  }
}

/** Commits what a create stores, and has no requests. */
const findOneByOne = async (server: Postgres.Server, folder: string): Promise<Side> => {
  const database = await server.database("one_by_one")
  await Postgres.migrate(database)
  const committer = await OneByOne.find({ server, url: database.url, folder })
  return {
    name: committer.name,
    run: async ({ connections, seconds: wanted }) => {
      // `pgbench` takes whole seconds.
      const seconds = Math.ceil(wanted)
      const counted = await counting({ node: nobody, postgres: server, callers: nobody })
      const perSecond = await committer.run({ clients: Math.min(connections, clientsMax), seconds })
      return { perSecond, cpu: await counted(perSecond * seconds) }
    }
  }
}

const targetOf = async (
  { database, server, service }: Ours,
  options: Pick<Options, "quick">
): Promise<Target> => {
  const tenant = await Service.makeTenant(service, 1)
  await seedPast(database, [tenant], pastRows(options))
  return {
    program: service,
    server,
    url: `${service.baseUrl}/api/v1/integrations/executions`,
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
    server,
    url: `${program.said}/executions`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Service.creation(tenant, null)
  }
}

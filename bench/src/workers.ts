/** Gain and cost of a second worker: creates, lifecycles and idle time with one and with two. */
import { readFile } from "node:fs/promises"
import { setTimeout as pause } from "node:timers/promises"
import * as Schema from "effect/Schema"
import { Pool } from "undici"
import type { Bench } from "./Bench.ts"
import { type Cpu, counting, cpuColumnsOverHttp, nobody, thisProcess, together, usedBy } from "./Cpu.ts"
import { settled } from "./Deliveries.ts"
import { inParallel } from "./InParallel.ts"
import * as Postgres from "./Postgres.ts"
import * as Receiver from "./Receiver.ts"
import { medianOf, printTable, progress, ratioOfRounds } from "./Report.ts"
import * as Runners from "./Runners.ts"
import { pastRows, seedPast } from "./Seeding.ts"
import { childrenOf } from "./ServerProcesses.ts"
import * as Service from "./Service.ts"

/** Callers that create at once, each on a connection of its own. */
const callers = 64

interface Side {
  readonly workers: number
  readonly service: Service.Service
  readonly database: Postgres.Database
  readonly tenants: ReadonlyArray<Service.Tenant>
  /** Its parent, if it has one, and its workers. */
  readonly processes: ReadonlyArray<number>
}

interface Measured {
  readonly perSecond: number
  readonly cpu: Cpu
  /** CPU microseconds of each process for one piece of work: a parent first. */
  readonly each: ReadonlyArray<number>
}

export const workers: Bench = async ({ folder, quick, resources }) => {
  const rounds = quick ? 1 : 3
  const creates = quick ? 64 : 3_000
  const executions = quick ? 16 : 1_000
  const server = await Postgres.start(resources)
  const receiver = await Receiver.start(resources)
  const sides: Array<Side> = []
  // PostgreSQL allows a hundred connections, and the workers of both have half of them.
  for (const count of [1, 2]) {
    const database = await server.database(`workers_${count}`)
    const options = { databaseUrl: database.url, folder, profile: null, workers: count }
    const service = await Service.start(options, resources)
    const tenants = await Service.makeTenants(service, 16, 1_000)
    await seedPast(database, tenants.slice(0, 1), pastRows({ quick }))
    const processes = [service.pid ?? 0, ...(count > 1 ? await childrenOf(service.pid ?? 0) : [])]
    sides.push({ workers: count, service, database, tenants, processes })
  }

  const lifecycle = (callbackUrl: string | null, serve: Runners.Serve) => async (side: Side) => {
    const { database, service, tenants } = side
    const [tenant] = tenants
    if (tenant === undefined) throw new Error("There is no account")
    return await measuring(side, server, executions, async () => {
      const seconds = await Runners.run({ service, tenant, executions, callbackUrl, serve })
      if (callbackUrl !== null) await settled(database)
      return seconds
    })
  }
  const works: Readonly<Record<string, (side: Side) => Promise<Measured>>> = {
    "create, one account": (side) =>
      measuring(side, server, creates, () => create(side.service, side.tenants.slice(0, 1), creates)),
    "create, 16 accounts": (side) =>
      measuring(side, server, creates, () => create(side.service, side.tenants, creates)),
    lifecycle: lifecycle(null, Runners.stepByStep),
    "lifecycle by claims": lifecycle(null, Runners.byClaims),
    "lifecycle by claims, callbacks": lifecycle(receiver, Runners.byClaims)
  }

  const rows = []
  for (const [name, work] of Object.entries(works)) {
    const measured = new Map(sides.map((side) => [side, new Array<Measured>()]))
    // Round 0 warms up.
    for (let round = quick ? 1 : 0; round <= rounds; round++) {
      for (const [side, runs] of measured) {
        progress(`workers: ${name}, ${side.workers}, round ${round} of ${rounds}`)
        const run = await work(side)
        if (round > 0) runs.push(run)
      }
    }
    const [alone = []] = measured.values()
    for (const [side, runs] of measured) {
      rows.push({
        work: name,
        workers: side.workers,
        "a second": medianOf(runs, (run) => run.perSecond),
        "to one": ratioOfRounds(runs, alone, (run) => run.perSecond),
        ...cpuColumnsOverHttp(runs),
        "PostgreSQL to one": ratioOfRounds(runs, alone, (run) => run.cpu.postgres),
        "each process us": side.processes
          .map((_, at) => Math.round(medianOf(runs, (run) => run.each[at] ?? 0)))
          .join(" + ")
      })
    }
  }
  printTable(`workers, on ${server.name}`, rows)
  printTable("workers that have nothing to do", await idle(sides, quick ? 0.2 : 20))
}

/** Sends so many creates for these accounts in turn; returns the seconds it took. */
const create = async (
  { baseUrl }: Service.Service,
  tenants: ReadonlyArray<Service.Tenant>,
  count: number
): Promise<number> => {
  const pool = new Pool(baseUrl, { connections: callers })
  const requests = tenants.map((tenant) => Service.creationBy(tenant, null))
  const begun = performance.now()
  await inParallel(callers, Array(count).keys(), async (at) => {
    const path = "/api/v1/integrations/executions"
    const answer = await pool.request({ method: "POST", path, ...requests[at % requests.length] })
    const text = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`A create answered ${answer.statusCode}: ${text}`)
  })
  const seconds = (performance.now() - begun) / 1000
  await pool.close()
  return seconds
}

const measuring = async (
  { processes }: Side,
  server: Postgres.Server,
  pieces: number,
  work: () => Promise<number>
): Promise<Measured> => {
  const all = processes.map((pid) => ({ cpuSeconds: async () => (await usedBy(pid)).own }))
  const read = () => Promise.all(all.map((one) => one.cpuSeconds()))
  const before = await read()
  const counted = await counting({ node: together(...all), postgres: server, callers: thisProcess })
  const seconds = await work()
  const cpu = await counted(pieces)
  const after = await read()
  const each = after.map((used, at) => ((used - (before[at] ?? 0)) / pieces) * 1e6)
  return { perSecond: pieces / seconds, cpu, each }
}

const Committed = Schema.Struct({ commits: Schema.NumberFromString })

/** The cost of each idle service. */
const idle = async (sides: ReadonlyArray<Side>, seconds: number) => {
  const commitsOf = async ({ run }: Postgres.Database) => {
    // Backends report what they did about once a second.
    await pause(1_100)
    const [row] = await run(
      "SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()"
    )
    return Schema.decodeUnknownSync(Committed)(row).commits
  }
  const rows = []
  for (const { database, processes, workers: count } of sides) {
    const all = together(...processes.map((pid) => ({ cpuSeconds: async () => (await usedBy(pid)).own })))
    const before = await commitsOf(database)
    const begun = performance.now()
    const counted = await counting({ node: all, postgres: nobody, callers: nobody })
    await pause(seconds * 1000)
    const { node } = await counted(seconds)
    const commits = (await commitsOf(database)) - before
    const memory = await Promise.all(processes.map(memoryOf))
    rows.push({
      workers: count,
      "transactions a second": (commits / (performance.now() - begun)) * 1000,
      "CPU ms a second": node / 1000,
      "memory MiB": memory.map((each) => Math.round(each)).join(" + ")
    })
  }
  return rows
}

/** MiB of a process, its share of what it has in common with others among them. */
const memoryOf = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "")
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]) / 1024
}

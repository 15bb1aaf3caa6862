/** Executions a second from creation to completion over HTTP; compared with in-process job queues. */
import { setTimeout as pause } from "node:timers/promises"
import * as Schema from "effect/Schema"
import type { Bench } from "./Bench.ts"
import { type Counted, type Cpu, counting, cpuColumnsOverHttp, nobody, thisProcess } from "./Cpu.ts"
import { settled } from "./Deliveries.ts"
import * as Postgres from "./Postgres.ts"
import * as Receiver from "./Receiver.ts"
import { medianOf, printTable, progress, ratioOfRounds } from "./Report.ts"
import * as GraphileWorker from "./rivals/GraphileWorker.ts"
import * as PgBoss from "./rivals/PgBoss.ts"
import * as Runners from "./Runners.ts"
import { pastRows, seedPast } from "./Seeding.ts"
import * as Service from "./Service.ts"

interface Measured {
  readonly perSecond: number
  /** What one lifecycle cost, until its callbacks were settled. */
  readonly cpu: Cpu
  /** Written to the log of the database for one lifecycle, until its callbacks were settled, in KiB. */
  readonly walKib: number
  /** Pages that were among it as a whole, as they are at their first change after a checkpoint. */
  readonly fullPages: number
  /** Callbacks made a second, from the first creation to the last that was settled. */
  readonly callbacksPerSecond: number
}

const names = [
  "callbacks off",
  "callbacks off, by claims",
  "callbacks on",
  "callbacks on, by claims",
  "pg-boss",
  "pg-boss, sent one by one",
  "graphile-worker"
] as const

export const lifecycle: Bench = async ({ folder, profile, quick, resources }) => {
  const executions = quick ? 300 : 3_000
  const jobs = quick ? 1_000 : 20_000
  const rounds = quick ? 1 : 3
  const server = await Postgres.start(resources)
  const database = await server.database("service")
  const service = await Service.start({ databaseUrl: database.url, folder, profile }, resources)
  const tenant = await Service.makeTenant(service, 1_000)
  await seedPast(database, [tenant], pastRows({ quick }))
  const receiver = await Receiver.start(resources)
  const boss = await server.database("pg_boss")
  const graphile = await server.database("graphile_worker")

  const serviceRun = (serve: Runners.Serve, callbackUrl: string | null) => () =>
    metered({ database, server, node: service, callers: thisProcess, executions, callbackUrl }, () =>
      Runners.run({ service, tenant, executions, callbackUrl, serve })
    )
  /** A queue is used in this process, which has no callers beside it. */
  const inProcess = { server, node: thisProcess, callers: nobody, executions: jobs, callbackUrl: null }
  const bossRun = (arrive: PgBoss.Arrival) => () =>
    metered({ ...inProcess, database: boss }, () => PgBoss.run({ url: boss.url, jobs, arrive }))
  const sides = {
    "callbacks off": serviceRun(Runners.stepByStep, null),
    "callbacks off, by claims": serviceRun(Runners.byClaims, null),
    "callbacks on": serviceRun(Runners.stepByStep, receiver),
    "callbacks on, by claims": serviceRun(Runners.byClaims, receiver),
    "pg-boss": bossRun(PgBoss.inBatches),
    "pg-boss, sent one by one": bossRun(PgBoss.oneByOne),
    "graphile-worker": () =>
      metered({ ...inProcess, database: graphile }, () => GraphileWorker.run(graphile.url, jobs))
  }

  const measured = new Map(names.map((name) => [name, new Array<Measured>()]))
  // Round 0 warms up.
  for (let round = quick ? 1 : 0; round <= rounds; round++) {
    for (const name of names) {
      progress(`lifecycle: ${name}, round ${round} of ${rounds}`)
      const run = await sides[name]()
      if (round > 0) measured.get(name)?.push(run)
    }
  }

  const runsOf = (name: (typeof names)[number]) => measured.get(name) ?? []
  const ratioTo = (other: (typeof names)[number], name: (typeof names)[number]) =>
    ratioOfRounds(runsOf(name), runsOf(other), (run) => run.perSecond)
  printTable(
    `lifecycle, on ${server.name}`,
    names.map((name) => ({
      side: name,
      "lifecycles/s": medianOf(runsOf(name), (run) => run.perSecond),
      "to pg-boss": ratioTo("pg-boss", name),
      "to it one by one": ratioTo("pg-boss, sent one by one", name),
      "to graphile-worker": ratioTo("graphile-worker", name),
      ...cpuColumnsOverHttp(runsOf(name)),
      "WAL KiB": medianOf(runsOf(name), (run) => run.walKib),
      "full pages": medianOf(runsOf(name), (run) => run.fullPages),
      "callbacks/s": medianOf(runsOf(name), (run) => run.callbacksPerSecond)
    }))
  )
}

interface Side {
  readonly database: Postgres.Database
  readonly server: Postgres.Server
  readonly node: Counted
  readonly callers: Counted
  readonly executions: number
  readonly callbackUrl: string | null
}

const Written = Schema.Struct({ bytes: Schema.NumberFromString, pages: Schema.NumberFromString })

/** What has been written to the log of the server, by whomever. */
const written = async ({ run }: Postgres.Database): Promise<typeof Written.Type> => {
  // Backends report what they wrote about once a second.
  await pause(1_100)
  const [row] = await run(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes, wal_fpi AS pages FROM pg_stat_wal"
  )
  return Schema.decodeUnknownSync(Written)(row)
}

const metered = async (
  { callbackUrl, callers, database, executions, node, server }: Side,
  run: () => Promise<number>
): Promise<Measured> => {
  const before = await written(database)
  const counted = await counting({ node, postgres: server, callers })
  const begun = performance.now()
  const seconds = await run()
  if (callbackUrl !== null) await settled(database)
  const settledSeconds = (performance.now() - begun) / 1000
  const cpu = await counted(executions)
  const after = await written(database)
  return {
    perSecond: executions / seconds,
    cpu,
    walKib: (after.bytes - before.bytes) / executions / 1024,
    fullPages: (after.pages - before.pages) / executions,
    callbacksPerSecond: callbackUrl === null ? Number.NaN : (3 * executions) / settledSeconds
  }
}

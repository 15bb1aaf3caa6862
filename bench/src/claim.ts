/** The cost of a claim with a short and a very long queue: in the store, without HTTP. */
import type { Bench, Options } from "./Bench.ts"
import { type Cpu, counting, cpuColumns, nobody, thisProcess } from "./Cpu.ts"
import * as Postgres from "./Postgres.ts"
import { medianOf, number, printTable, progress, ratio } from "./Report.ts"
import { bucketOf, seedBacklog } from "./Seeding.ts"
import * as StoreRunner from "./StoreRunner.ts"

/** Claims of each size; together they take less than the smallest backlog has. */
const claimsOf: ReadonlyArray<{ readonly limit: number; readonly rounds: number }> = [
  { limit: 10, rounds: 300 },
  { limit: 100, rounds: 60 }
]
const claimedMax = 10_000

/** A queue of some length, and a claim on it. */
interface Backlog {
  readonly rows: number
  /** Claims up to so many. */
  readonly claim: (limit: number) => Promise<Claim>
}

/** What one claim took. */
interface Claim {
  readonly millis: number
  readonly cpu: Cpu
}

export const claim: Bench = async (options) => {
  const { quick, resources, rows } = options
  const server = await Postgres.start(resources)
  const sizes = [...new Set([10_000, Math.min(1_000_000, rows), rows])]
  const backlogs: Array<Backlog> = []
  for (const size of sizes) {
    progress(`claim: making a backlog of ${number(size)}`)
    backlogs.push(await makeBacklog(server, size, options))
  }

  const table = []
  for (const { limit, rounds } of claimsOf) {
    progress(`claim: ${limit} at a time`)
    const claims = new Map(backlogs.map((backlog) => [backlog, new Array<Claim>()]))
    for (let round = 0; round < (quick ? 5 : rounds); round++) {
      for (const backlog of backlogs) claims.get(backlog)?.push(await backlog.claim(limit))
    }
    const millisAt = (backlog: Backlog | undefined) =>
      medianOf((backlog && claims.get(backlog)) ?? [], ({ millis }) => millis)
    for (const [backlog, taken] of claims) {
      table.push({
        backlog: number(backlog.rows),
        "claim of": limit,
        "ms (median)": millisAt(backlog),
        "to the smallest": ratio(millisAt(backlog), millisAt(backlogs[0])),
        ...cpuColumns(taken)
      })
    }
  }
  printTable(`claim, on ${server.name}`, table)
}

const makeBacklog = async (
  server: Postgres.Server,
  rows: number,
  { folder, resources }: Options
): Promise<Backlog> => {
  const database = await server.database(`backlog_${rows}`)
  const tenant = await StoreRunner.makeTenant({ database, folder }, 100)
  await seedBacklog({ database, tenant, rows, until: new Date(), claimed: claimedMax })
  for (const table of ["executions", "execution_requests", "ready_queue"]) {
    await database.run(`VACUUM (ANALYZE) ${table}`)
  }
  const bucket = await bucketOf(database, tenant)

  const runtime = StoreRunner.openStore({ database, maxConnections: 2 }, resources)
  const session = await runtime.runPromise(StoreRunner.openSession(tenant))

  return {
    rows,
    claim: async (limit) => {
      await database.run(
        "UPDATE agent_slots SET execution_id = NULL, session_id = NULL WHERE bucket = $1 AND agent_id = $2::uuid",
        [bucket, tenant.agentId]
      )
      const counted = await counting({ node: thisProcess, postgres: server, callers: nobody })
      const begun = performance.now()
      const claims = await runtime.runPromise(StoreRunner.claim(session, limit))
      const millis = performance.now() - begun
      const cpu = await counted(1)
      if (claims.length !== limit) throw new Error(`${claims.length} were claimed instead of ${limit}`)
      return { millis, cpu }
    }
  }
}

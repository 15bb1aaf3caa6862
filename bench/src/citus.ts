/** What a create and a lifecycle cost on a coordinator and two workers of Citus; compared with one server of the same PostgreSQL. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Cluster from "@runhook/test-support/citus/Cluster"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Bench } from "./Bench.ts"
import { counting, nobody, together } from "./Cpu.ts"
import { settled } from "./Deliveries.ts"
import { load } from "./Load.ts"
import { medianOf, printTable, progress } from "./Report.ts"
import * as Postgres from "./Postgres.ts"
import * as Receiver from "./Receiver.ts"
import * as Runners from "./Runners.ts"
import { cpuSecondsOf } from "./ServerProcesses.ts"
import * as Service from "./Service.ts"

const name = "runhook_bench"

/** CPU us of one piece of work. */
interface Measured {
  readonly perSecond: number
  readonly node: number
  /** The server that the service connects to. */
  readonly entry: number
  /** Those that have the rows beside it. */
  readonly workers: number
}

interface Side {
  readonly side: string
  readonly creates: (connections: number) => Promise<Measured>
  readonly lifecycles: () => Promise<Measured>
}

export const citus: Bench = async ({ folder, profile, quick, resources }) => {
  if (!Cluster.isInstalled()) {
    console.log("citus: not tried, the PostgreSQL of pg_config has no Citus (docs/operating/citus.md)")
    return
  }
  const seconds = quick ? 0.5 : 6
  const executions = quick ? 50 : 2_000
  const rounds = quick ? 1 : 3
  const receiver = await Receiver.start(resources)

  const start = async (side: string, nodes: ReadonlyArray<Cluster.Node>): Promise<Side> => {
    const [entry, ...workers] = await Promise.all(nodes.map((node) => serverOf(node, resources)))
    if (entry === undefined) throw new Error(`${side} has no server`)
    const databaseUrl = entry.url
    await Effect.runPromise(PgDatabase.upToDate({ url: Redacted.make(databaseUrl) }))
    const service = await Service.start({ databaseUrl, folder, profile }, resources)
    const tenant = await Service.makeTenant(service, 1_000)
    const counted = async (work: () => Promise<{ readonly pieces: number; readonly perSecond: number }>) => {
      const used = await counting({ node: service, postgres: entry, callers: together(...workers) })
      const { perSecond, pieces } = await work()
      const cpu = await used(pieces)
      return { perSecond, node: cpu.node, entry: cpu.postgres, workers: cpu.callers }
    }
    const target = {
      program: service,
      server: nobody,
      url: `${service.baseUrl}/api/v1/integrations/executions`,
      method: "POST" as const,
      headers: { "content-type": "application/json", authorization: `Bearer ${tenant.key}` },
      body: Service.creation(tenant, null)
    }
    return {
      side,
      creates: (connections) =>
        counted(async () => {
          const { perSecond } = await load(target, { connections, seconds })
          return { perSecond, pieces: perSecond * seconds }
        }),
      lifecycles: async () => {
        // An account whose agent has no backlog.
        const own = await Service.makeTenant(service, 1_000)
        const options = { service, tenant: own, executions, callbackUrl: receiver, serve: Runners.byClaims }
        return counted(async () => {
          const took = await Runners.run(options)
          await settled(entry)
          return { perSecond: executions / took, pieces: executions }
        })
      }
    }
  }

  const alone = await Cluster.makeNode()
  resources.defer(() => alone.end())
  await alone.start()
  await Cluster.said(alone.port, "postgres", `CREATE DATABASE ${name}`)
  const nodes = await Cluster.start()
  resources.defer(async () => {
    await Promise.all(nodes.map((node) => node.end()))
  })
  await Cluster.createDatabase(nodes, name)
  const sides = [await start("PostgreSQL", [alone]), await start("Citus", nodes)]

  const works = [
    ...(quick ? [1] : [1, 16, 64]).map((connections) => ({
      work: `create, ${connections} connections`,
      of: (side: Side) => side.creates(connections)
    })),
    { work: "lifecycle by claims, three callbacks", of: (side: Side) => side.lifecycles() }
  ]
  const rows = []
  for (const { of, work } of works) {
    const measured = new Map(sides.map((side) => [side, new Array<Measured>()]))
    // Round 0 warms up.
    for (let round = quick ? 1 : 0; round <= rounds; round++) {
      for (const [side, runs] of measured) {
        progress(`citus: ${work}, ${side.side}, round ${round} of ${rounds}`)
        const run = await of(side)
        if (round > 0) runs.push(run)
      }
    }
    for (const [{ side }, runs] of measured)
      rows.push({
        work,
        side,
        "a second": medianOf(runs, ({ perSecond }) => perSecond),
        "Node CPU us": medianOf(runs, ({ node }) => node),
        "coordinator's CPU us": medianOf(runs, ({ entry }) => entry),
        "workers' CPU us": medianOf(runs, ({ workers }) => workers)
      })
  }
  printTable("citus, beside one server of the same PostgreSQL", rows)
}

/** The database on a node, and the CPU time of all its processes. */
const serverOf = async ({ folder, port }: Cluster.Node, resources: AsyncDisposableStack) => {
  const [postmaster] = (await readFile(join(folder, "postmaster.pid"), "utf8")).split("\n")
  const url = Cluster.urlOf(port, name)
  return {
    url,
    run: Postgres.connect(url, resources),
    cpuSeconds: () => cpuSecondsOf(Number(postmaster))
  }
}

/** The cost of a lifecycle at low load with the SDK's runners, and how soon its work starts. */
import { createRunner } from "@runhook/sdk/runner"
import type { Bench } from "./Bench.ts"
import { causing } from "./Causing.ts"
import { cpuColumnsOverHttp, thisProcess } from "./Cpu.ts"
import { settled } from "./Deliveries.ts"
import { evenly, lagColumns, type Lags, LagWatch } from "./Lags.ts"
import * as Past from "./Past.ts"
import * as Postgres from "./Postgres.ts"
import * as Receiver from "./Receiver.ts"
import { medianOf, printTable, progress } from "./Report.ts"
import * as Service from "./Service.ts"
import * as Statements from "./Statements.ts"

const accounts = 8

/** What an agent does at once, and its runner. */
const capacity = 100

/** Lifecycles a second, in how many accounts, and whether each has three callbacks. */
const sides = [
  { name: "20/s", perSecond: 20, busyAccounts: 1, hasCallbacks: false },
  { name: "25/s, 75 callbacks/s", perSecond: 25, busyAccounts: accounts, hasCallbacks: true },
  { name: "100/s, 300 callbacks/s", perSecond: 100, busyAccounts: accounts, hasCallbacks: true }
] as const
type Side = (typeof sides)[number]

export const trickle: Bench = async (options) => {
  const { folder, profile, quick, resources } = options
  const rounds = quick ? 1 : 3
  const seconds = quick ? 0.2 : 10
  const server = await Postgres.start(resources)
  const { database, tenants } = await Past.start(server, { accounts, capacity }, options)
  const callback = await Receiver.start(resources)
  const watch = new LagWatch()

  /** From the answer of a create to the start of its work. */
  const measure = async (service: Service.Service, { busyAccounts, hasCallbacks, perSecond }: Side) => {
    await using own = new AsyncDisposableStack()
    const busy = tenants.slice(0, busyAccounts)
    const runners = busy.map((tenant) => own.use(runnerOf(service, tenant, watch)))
    await Promise.all(runners.map((runner) => runner.start()))
    const cause = causing(
      {
        url: `${service.baseUrl}/api/v1/integrations/executions`,
        creations: busy.map((tenant) => Service.creationBy(tenant, hasCallbacks ? callback : null)),
        callers: capacity
      },
      own
    )
    const counted = { node: service, postgres: server, callers: thisProcess }
    const drained = async () => {
      await Promise.all(runners.map((runner) => runner.stop()))
      await settled(database)
    }
    return await watch.measure({ cause, counted, drained }, evenly({ perSecond, seconds }))
  }

  const run = async (statements: Statements.Statements | null, roundsMax: number) => {
    await using own = new AsyncDisposableStack()
    const databaseUrl = statements?.url ?? database.url
    const service = await Service.start({ databaseUrl, folder, profile }, own)
    const found = new Map(sides.map((side) => [side, new Array<Lags & { statements: number }>()]))
    // Round 0 warms up.
    for (let round = quick ? 1 : 0; round <= roundsMax; round++) {
      for (const [side, runs] of found) {
        progress(`trickle: ${side.name}, round ${round} of ${roundsMax}`)
        const before = statements?.count() ?? Number.NaN
        const lags = await measure(service, side)
        const asked = (statements?.count() ?? Number.NaN) - before
        if (round > 0) runs.push({ ...lags, statements: asked / (side.perSecond * seconds) })
      }
    }
    return found
  }

  // Apart from the rest: who counts stands in the way.
  const counted = await run(await Statements.start(database.url, resources), 1)
  const found = quick ? counted : await run(null, rounds)
  printTable(
    `trickle, from the answer to the start of the work, on ${server.name}`,
    [...found].map(([side, runs]) => ({
      side: side.name,
      statements: medianOf(counted.get(side) ?? [], ({ statements }) => statements),
      ...lagColumns(runs),
      ...cpuColumnsOverHttp(runs)
    }))
  )
}

/** One whose work takes no time. */
const runnerOf = ({ baseUrl }: Service.Service, { runnerKey }: Service.Tenant, watch: LagWatch) =>
  createRunner({
    baseUrl,
    apiKey: runnerKey,
    capacity,
    log: () => {},
    tasks: {
      print: ({ execution_id }) => {
        watch.arrive(execution_id)
        return { pages: 2 }
      }
    }
  })

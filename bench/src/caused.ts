/** Callbacks of the service's own creates, as users see them; compared with a hand-written handler and loop. */
import { fileURLToPath } from "node:url"
import type { Bench, Options } from "./Bench.ts"
import { causing, executionIn } from "./Causing.ts"
import { cpuColumnsOverHttp, thisProcess, together } from "./Cpu.ts"
import { settled } from "./Deliveries.ts"
import { type Drive, evenly, inBurst, lagColumns, type Lags, LagWatch, type Side } from "./Lags.ts"
import type { Ours } from "./Ours.ts"
import * as Postgres from "./Postgres.ts"
import * as Program from "./Program.ts"
import * as Receivers from "./Receivers.ts"
import { medianOf, printTable, progress, ratio, ratioOfRounds } from "./Report.ts"
import * as Outbox from "./rivals/Outbox.ts"
import { pastRows, seedPast } from "./Seeding.ts"
import * as Service from "./Service.ts"

/** Enough that no share of one account or receiver is the limit. */
const accounts = 8
const receivers = 32

/** Who create at once in a burst, and who do for one receiver. */
const callers = 64
const callersOfOne = 32

/** Executions created a second while lag is measured. */
const steadyRates = [75, 300]

type Named = Side & { readonly name: string }

/** What to compare in turns. */
interface Question {
  readonly sides: ReadonlyArray<Named>
  readonly drive: Drive
  readonly name: string
}

export const caused: Bench = async (options) => {
  const { quick, resources } = options
  const rounds = quick ? 1 : 3
  const seconds = quick ? 0.2 : 10
  const ours = await options.ours()
  const { server } = ours
  const watch = new LagWatch()
  const onEvent = (_id: string, body: string) => watch.arrive(executionIn(body))
  const urls = await Receivers.start({ count: receivers, onEvent }, resources)
  const sideOf = sidesOf(ours, resources)
  const byHand = await startByHand(server, urls, options)
  const sides = [await sideOf("service", { urls, accounts, kept: pastRows(options) }), byHand]
  const one = urls.slice(0, 1)
  const keeping = async (kept: number) =>
    await sideOf(`${kept} kept`, { urls: one, accounts: 1, kept: quick ? kept / 1_000 : kept })
  const few = await keeping(1_000)
  const many = await keeping(300_000)

  /** Runs of each side, after one that warms up. */
  const ask = async ({ drive, name, sides: asked }: Question) => {
    const runs = new Map(asked.map((side) => [side, new Array<Lags>()]))
    for (let round = quick ? 1 : 0; round <= rounds; round++) {
      for (const [side, measured] of runs) {
        progress(`caused: ${name}, ${side.name}, round ${round} of ${rounds}`)
        const run = await watch.measure(side, drive)
        if (round > 0) measured.push(run)
      }
    }
    return [...runs].map(([side, measured]) => ({ side: side.name, runs: measured }))
  }

  const events = quick ? 100 : 8_000
  const burst = await ask({ name: "a burst", sides, drive: inBurst({ callers, events }) })
  const handsRuns = burst.flatMap(({ runs, side }) => (side === byHand.name ? runs : []))
  printTable(
    `caused, a burst of ${events} by ${callers} callers, on ${server.name}`,
    burst.map(({ runs, side }) => ({
      side,
      "to by hand": ratioOfRounds(runs, handsRuns, (run) => run.arrivedPerSecond),
      ...lagColumns(runs),
      ...cpuColumnsOverHttp(runs)
    }))
  )
  for (const perSecond of steadyRates) {
    const name = `${perSecond} a second`
    const steady = await ask({ name, sides, drive: evenly({ perSecond, seconds }) })
    printTable(
      `caused, ${name}`,
      steady.map(({ runs, side }) => ({ side, ...lagColumns(runs) }))
    )
  }
  const toOne = await ask({
    name: "to one receiver",
    sides: [few, many],
    drive: inBurst({ callers: callersOfOne, events: quick ? 50 : 3_000 })
  })
  const cost = ({ cpu }: Lags) => cpu.node + cpu.postgres
  const fewRuns = toOne[0]?.runs ?? []
  printTable(
    `caused, to one receiver by ${callersOfOne} callers`,
    toOne.map(({ runs, side }) => ({
      side,
      ...lagColumns(runs),
      "cost to few": ratio(medianOf(runs, cost), medianOf(fewRuns, cost)),
      "PostgreSQL to few": ratioOfRounds(runs, fewRuns, ({ cpu }) => cpu.postgres)
    }))
  )
}

interface Kept {
  readonly urls: ReadonlyArray<string>
  readonly accounts: number
  /** What these accounts keep together. */
  readonly kept: number
}

/** One process that answers callers and sends callbacks. */
const sidesOf = ({ database, server, service }: Ours, resources: AsyncDisposableStack) => {
  const url = `${service.baseUrl}/api/v1/integrations/executions`
  return async (name: string, { accounts: count, kept, urls }: Kept): Promise<Named> => {
    const tenants = await Service.makeTenants(service, count, 1)
    progress(`caused: making ${kept} deliveries`)
    await seedPast(database, tenants, kept)
    const creations = urls.flatMap((callback, place) => {
      const tenant = tenants[place % tenants.length]
      return tenant === undefined ? [] : [Service.creationBy(tenant, callback)]
    })
    return {
      name,
      counted: { node: service, postgres: server, callers: thisProcess },
      cause: causing({ url, creations, callers }, resources),
      drained: () => settled(database)
    }
  }
}

const fastifyInsert = fileURLToPath(new URL("rivals/FastifyInsert.ts", import.meta.url))

/** A handler that stores the row and what is to be sent in one statement, and a process that sends it. */
const startByHand = async (
  server: Postgres.Server,
  urls: ReadonlyArray<string>,
  { resources }: Options
): Promise<Named> => {
  const database = await server.database("caused_by_hand")
  await Postgres.migrate(database)
  const loop = await Outbox.start(database, resources)
  const environment = { DATABASE_URL: database.url }
  const handler = await Program.start({ args: [fastifyInsert], environment, ready: /(http:\S+)/ }, resources)
  const some = "01890000-0000-7000-8000-000000000001"
  const creations = urls.map((url) => ({
    headers: { "content-type": "application/json" },
    body: Service.creation({ agentId: some, taskId: some }, url)
  }))
  return {
    name: "by hand",
    counted: { node: together(handler, loop), postgres: server, callers: thisProcess },
    cause: causing({ url: `${handler.said}/executions`, creations, callers }, resources),
    drained: () => Outbox.drained(database)
  }
}

/** The callbacks that the service causes itself, as users have them; beside a handler and a loop written by hand. */
import { fileURLToPath } from "node:url"
import type { Options } from "./Bench.ts"
import { causing, type Creation, executionIn } from "./Causing.ts"
import { countdown } from "./Countdown.ts"
import {
  type Counted,
  type Cpu,
  counting,
  cpuColumnsOverHttp,
  type Parts,
  thisProcess,
  together
} from "./Cpu.ts"
import { settled } from "./Deliveries.ts"
import { inParallel } from "./InParallel.ts"
import { lagColumns, type Lags, LagWatch, type Steady } from "./Lags.ts"
import * as Postgres from "./Postgres.ts"
import * as Program from "./Program.ts"
import * as Receivers from "./Receivers.ts"
import { medianOf, printTable, progress, ratioOfRounds } from "./Report.ts"
import * as Outbox from "./rivals/Outbox.ts"
import * as Service from "./Service.ts"

/** As many as without the service: enough that no share of one account or receiver is the limit. */
const accounts = 8
const receivers = 32

/** Who create at once. */
const callers = 64

/** Executions created a second while lag is measured. */
const steadyRate = 300

/** One way from a request to its callback. */
interface Side {
  readonly name: string
  readonly counted: Parts<Counted>
  readonly cause: Steady["cause"]
  /** Ends when nothing is left to send. */
  readonly drained: () => Promise<void>
}

/** As many as fast as they are asked for. */
interface Rush {
  /** Callbacks a second, from the first request to the last arrival. */
  readonly perSecond: number
  /** What one cost with its request, until it was settled. */
  readonly cpu: Cpu
}

export const caused = async (server: Postgres.Server, options: Options): Promise<void> => {
  const { quick, resources } = options
  const executions = quick ? 200 : 10_000
  const rounds = quick ? 1 : 3
  const seconds = quick ? 0.5 : 20
  const watch = new LagWatch()
  let arrived = (_count: number): void => {}
  const onEvent = (_id: string, body: string) => {
    watch.arrive(executionIn(body))
    arrived(1)
  }
  const urls = await Receivers.start({ count: receivers, onEvent }, resources)
  const sides = [await startService(server, urls, options), await startByHand(server, urls, resources)]

  const rush = async ({ cause, counted, drained }: Side): Promise<Rush> => {
    const used = await counting(counted)
    const { arrive, done } = countdown(executions)
    arrived = arrive
    const begun = performance.now()
    await inParallel(callers, Array(executions).keys(), cause)
    await done
    const elapsed = (performance.now() - begun) / 1_000
    await drained()
    return { perSecond: executions / elapsed, cpu: await used(executions) }
  }

  const rushes = new Map(sides.map((side) => [side, new Array<Rush>()]))
  const lags = new Map(sides.map((side) => [side, new Array<Lags>()]))
  // Round 0 warms up.
  for (let round = quick ? 1 : 0; round <= rounds; round++) {
    for (const side of sides) {
      progress(`deliver: caused over HTTP, ${side.name}, round ${round} of ${rounds}`)
      const run = await rush(side)
      if (round > 0) rushes.get(side)?.push(run)
    }
  }
  for (let round = 1; round <= rounds; round++) {
    for (const side of sides) {
      progress(`deliver: ${steadyRate} a second over HTTP, ${side.name}, round ${round} of ${rounds}`)
      lags.get(side)?.push(await watch.measure({ ...side, perSecond: steadyRate, seconds }))
      await side.drained()
    }
  }

  const runsOf = (side: Side) => rushes.get(side) ?? []
  const byHand = sides.flatMap((side) => (side.name === "by hand" ? runsOf(side) : []))
  printTable(
    `deliver, caused over HTTP by ${callers} callers, on ${server.name}`,
    sides.map((side) => ({
      side: side.name,
      "callbacks/s": medianOf(runsOf(side), (run) => run.perSecond),
      "to by hand": ratioOfRounds(runsOf(side), byHand, (run) => run.perSecond),
      ...cpuColumnsOverHttp(runsOf(side))
    }))
  )
  printTable(
    `deliver, from commit to receiver, caused over HTTP at ${steadyRate} a second`,
    sides.map((side) => ({ side: side.name, ...lagColumns(lags.get(side) ?? []) }))
  )
}

/** One process that answers callers and sends callbacks. */
const startService = async (
  server: Postgres.Server,
  urls: ReadonlyArray<string>,
  { folder, profile, resources }: Options
): Promise<Side> => {
  const database = await server.database("caused")
  const service = await Service.start({ databaseUrl: database.url, folder, profile }, resources)
  const tenants = new Array<Service.Tenant>()
  while (tenants.length < accounts) tenants.push(await Service.makeTenant(service, 1))
  const creations = urls.flatMap((url, place): ReadonlyArray<Creation> => {
    const tenant = tenants[place % tenants.length]
    if (tenant === undefined) return []
    const headers = { "content-type": "application/json", authorization: `Bearer ${tenant.key}` }
    return [{ headers, body: Service.creation(tenant, url) }]
  })
  return {
    name: "service",
    counted: { node: service, postgres: server, callers: thisProcess },
    cause: causing(
      { url: `${service.baseUrl}/api/v1/integrations/executions`, creations, callers },
      resources
    ),
    drained: () => settled(database)
  }
}

const fastifyInsert = fileURLToPath(new URL("rivals/FastifyInsert.ts", import.meta.url))

/** A handler that stores the row and what is to be sent in one statement, and a process that sends it. */
const startByHand = async (
  server: Postgres.Server,
  urls: ReadonlyArray<string>,
  resources: AsyncDisposableStack
): Promise<Side> => {
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

/** What healthy receivers notice of a hanging one with a large backlog. */
import type { Bench } from "./Bench.ts"
import { committing } from "./Committing.ts"
import { cpuColumns, nobody } from "./Cpu.ts"
import { eventsFor, settled, store, type Target } from "./Deliveries.ts"
import { evenly, type Lags, LagWatch } from "./Lags.ts"
import * as Past from "./Past.ts"
import * as Postgres from "./Postgres.ts"
import * as Receivers from "./Receivers.ts"
import { medianOf, printTable, progress, ratio } from "./Report.ts"
import * as Service from "./Service.ts"

const accounts = 10
const receivers = 100

/** Events committed for the healthy ones a second. */
const steadyRate = 300

/** Events of one statement, when a queue is filled. */
const chunk = 10_000

const sides = ["alone", "beside one that hangs"] as const

export const isolation: Bench = async (options) => {
  const { folder, profile, quick, resources } = options
  const queued = quick ? 200 : 50_000
  const rounds = quick ? 1 : 3
  const seconds = quick ? 0.2 : 10
  const server = await Postgres.start(resources)
  const { database, tenants } = await Past.start(server, { accounts, capacity: 1 }, options)
  const dispatcher = await Service.start(
    { databaseUrl: database.url, folder, profile, roles: "dispatcher" },
    resources
  )
  const watch = new LagWatch()
  const urls = await Receivers.start({ count: receivers, onEvent: watch.arrive }, resources)
  const targets = urls.flatMap((url, place): ReadonlyArray<Target> => {
    const tenant = tenants[place % tenants.length]
    return tenant === undefined ? [] : [{ tenant, url }]
  })
  const [tenant] = tenants
  if (tenant === undefined) throw new Error("There is no account")

  const hanging = new Array<string>()
  const sent = {
    counted: { node: dispatcher, postgres: server, callers: nobody },
    cause: committing(database, targets, resources),
    drained: () => settled(database, { except: hanging })
  }
  /** In the account of some of the healthy ones; a new one each time, which is not yet known to hang. */
  const addHanging = async () => {
    const url = await Receivers.startHanging(resources)
    hanging.push(url)
    for (let stored = 0; stored < queued; stored += chunk)
      await store(database, eventsFor([{ tenant, url }], Math.min(chunk, queued - stored)))
    // What the database does after so many rows is not the question here.
    for (const statement of ["VACUUM ANALYZE webhook_deliveries", "VACUUM ANALYZE webhook_queue"])
      await database.run(statement)
  }
  const forgetHanging = async () => {
    await database.run("DELETE FROM webhook_queue")
  }

  const measured = new Map(sides.map((side) => [side, new Array<Lags>()]))
  for (let round = 1; round <= rounds; round++) {
    for (const side of sides) {
      progress(`isolation: ${side}, round ${round} of ${rounds}`)
      if (side === "beside one that hangs") await addHanging()
      measured.get(side)?.push(await watch.measure(sent, evenly({ perSecond: steadyRate, seconds })))
    }
    await forgetHanging()
  }

  const figure = (side: (typeof sides)[number], of: (lags: Lags) => number) =>
    medianOf(measured.get(side) ?? [], of)
  printTable(
    `isolation, ${steadyRate} a second to ${receivers} receivers, on ${server.name}`,
    sides.map((side) => {
      const p50 = figure(side, (lags) => lags.p50)
      const p99 = figure(side, (lags) => lags.p99)
      return {
        side,
        "committed/s": figure(side, (lags) => lags.perSecond),
        "p50 ms": p50,
        "p99 ms": p99,
        "p50 to alone": ratio(
          p50,
          figure("alone", (lags) => lags.p50)
        ),
        "p99 to alone": ratio(
          p99,
          figure("alone", (lags) => lags.p99)
        ),
        ...cpuColumns(measured.get(side) ?? [])
      }
    })
  )
}

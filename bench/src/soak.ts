/** The effects of an hour of steady work: memory, descriptors, tables, lags; and whether every callback arrived once and in order. */
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { Bench } from "./Bench.ts"
import { counting, cpuColumns, nobody } from "./Cpu.ts"
import * as Postgres from "./Postgres.ts"
import { number, printTable, progress } from "./Report.ts"
import * as Service from "./Service.ts"
import { drawn, type Point, secondHalf, slopePerHour } from "./soak/Curve.ts"
import { Ledger } from "./soak/Ledger.ts"
import { create, serve } from "./soak/Lifecycles.ts"
import * as Receiving from "./soak/Receiving.ts"
import { connect } from "./soak/Requests.ts"
import { openFile, quantities, type Quantity, type Sample, take } from "./soak/Samples.ts"
import { type Table, tablesOf } from "./soak/Tables.ts"

/** Executions that runners may have at once; two processes of 32 slots need fewer. */
const capacity = 100
const runners = 2

/** Longest wait for the last callbacks, in looks of a second. */
const looksMax = 300

export const soak: Bench = async ({ folder, profile, quick, resources, soak: given }) => {
  const { csv, perSecond } = given
  const seconds = quick ? 1 : given.minutes * 60
  const everySeconds = quick ? 1 : 15
  const server = await Postgres.start(resources)
  const database = await server.database("service")
  const memoryReport = join(folder, "memory.json")
  const service = await Service.start({ databaseUrl: database.url, folder, profile, memoryReport }, resources)
  const tenant = await Service.makeTenant(service, capacity)
  const ledger = new Ledger()
  const callbackUrl = await Receiving.start({ ledger, signingSecret: tenant.signingSecret }, resources)
  const post = connect(service.baseUrl, resources)
  const count = () => counting({ node: service, postgres: server, callers: nobody })
  const subjects = { database, ledger, memoryReport, server, service }
  const write = await openFile(csv)
  progress(`soak: ${perSecond} lifecycles a second for ${seconds} s, kept in ${csv}`)

  const samples = new Array<Sample>()
  const begun = performance.now()
  const counted = await count()
  let since = { at: 0, counted }
  const sample = async () => {
    const at = (performance.now() - begun) / 1_000
    const cpu = await since.counted(at - since.at)
    since = { at, counted: await count() }
    const taken = await take(subjects, { at, cpu })
    samples.push(taken)
    await write(taken)
    progress(lineOf(taken))
  }
  const ended = new AbortController()
  const sampling = async () => {
    for (let taken = 0; !ended.signal.aborted; taken++) {
      const wait = begun + taken * everySeconds * 1_000 - performance.now()
      // Cut short at the end: that is no failure.
      if (wait > 0) await pause(wait, undefined, { signal: ended.signal }).catch(() => undefined)
      await sample()
    }
  }
  const settled = async () => {
    for (let looks = 0; looks < looksMax && ledger.counts().missing > 0; looks++) await pause(1_000)
    // What comes once more, comes soon after.
    await pause(everySeconds * 1_000)
  }

  const serving = Promise.all(
    Array.from({ length: runners }, () => serve({ post, tenant, ledger }, ended.signal))
  )
  const measuring = sampling()
  const working = create({ post, tenant, ledger }, { callbackUrl, perSecond, seconds }).then(settled)
  // Whichever fails ends the measurement.
  await Promise.race([working, Promise.all([serving, measuring])])
  ended.abort()
  await Promise.all([serving, measuring])

  const counts = ledger.counts()
  const cpu = await counted(counts.created)
  printTable(`soak, ${perSecond} lifecycles a second for ${seconds} s, on ${server.name}`, [
    {
      executions: counts.created,
      "refused requests": counts.refused,
      callbacks: counts.callbacks,
      "lost callbacks": counts.missing,
      doubled: counts.doubled,
      "out of order": counts.outOfOrder,
      "not genuine": counts.rejected,
      "never acknowledged": counts.unknown,
      ...cpuColumns([{ cpu }])
    }
  ])
  printTable(
    "soak, over time",
    quantities.map((quantity) => rowOf(quantity, samples))
  )
  printTable(
    "soak, tables",
    (await tablesOf(database)).filter(isUsed).map((table) => tableRow(table, counts.created))
  )
  for (const quantity of quantities) console.log(`\n${quantity}\n${drawn(pointsOf(quantity, samples))}`)
  console.log(`\nAll samples: ${csv}`)
}

const pointsOf = (quantity: Quantity, samples: ReadonlyArray<Sample>): ReadonlyArray<Point> =>
  samples.map((sample) => ({ at: sample.at, value: sample[quantity] }))

const lineOf = (sample: Sample): string =>
  `soak: ${Math.round(sample.at)} s, ${sample.created} executions, RSS ${number(sample.service_rss_mib)} MiB, lag ${number(sample.lag_p50_ms)} and ${number(sample.lag_p99_ms)} ms, ${sample.missing} callbacks to come`

const rowOf = (quantity: Quantity, samples: ReadonlyArray<Sample>) => {
  const points = pointsOf(quantity, samples)
  const values = points.map(({ value }) => value).filter(Number.isFinite)
  return {
    quantity,
    first: values[0] ?? Number.NaN,
    least: values.length === 0 ? Number.NaN : Math.min(...values),
    greatest: values.length === 0 ? Number.NaN : Math.max(...values),
    last: values.at(-1) ?? Number.NaN,
    "an hour": slopePerHour(points),
    "an hour, second half": slopePerHour(secondHalf(points))
  }
}

const isUsed = ({ inserted, updated }: Table): boolean => inserted + updated > 0

/** What executions that have ended leave is kept, so most tables are meant to grow. */
const tableRow = (table: Table, lifecycles: number) => ({
  table: table.name,
  KiB: table.bytes / 1_024,
  "rows a lifecycle": (table.inserted - table.deleted) / lifecycles,
  "updates a lifecycle": table.updated / lifecycles,
  live: table.live,
  dead: table.dead,
  vacuums: table.vacuums
})

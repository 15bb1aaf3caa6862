/** Latency of callbacks that other processes caused, and throughput from a backlog; compared with a hand-written loop. */
import { setTimeout as pause } from "node:timers/promises"
import * as Schema from "effect/Schema"
import type { Bench } from "./Bench.ts"
import { committing } from "./Committing.ts"
import { type Counted, type Cpu, counting, cpuColumns, nobody } from "./Cpu.ts"
import { bodySql, type Event, eventsFor, settled, store, type Target } from "./Deliveries.ts"
import { evenly, lagColumns, type Lags, LagWatch } from "./Lags.ts"
import * as Past from "./Past.ts"
import * as Postgres from "./Postgres.ts"
import type * as Program from "./Program.ts"
import * as Receivers from "./Receivers.ts"
import { medianOf, printTable, progress, ratio } from "./Report.ts"
import * as Outbox from "./rivals/Outbox.ts"
import * as Service from "./Service.ts"

/** Accounts and receivers: enough of them that no share of one account or receiver is the limit. */
const accounts = 8
const receivers = 32

/** Events committed a second while lag is measured. */
const steadyRates = [75, 300]

interface Drained {
  readonly perSecond: number
  /** What one delivery cost, from its commit on. */
  readonly cpu: Cpu
  /** Written to the log of the database for one delivery, in KiB, from the first to the last that was settled. */
  readonly walKib: number
  /** Transactions of the database for one delivery. */
  readonly transactions: number
}

/** One way of sending. */
interface Side {
  readonly database: Postgres.Database
  readonly server: Counted
  readonly program: Program.Program
  /** Puts all of them into its queue in one transaction. */
  readonly fill: (events: ReadonlyArray<Event>) => Promise<void>
  /** Ends when none is left in the queue. */
  readonly drained: () => Promise<void>
}

const names = ["dispatcher", "by hand"] as const

/** Events that are put into the tables, as if other processes had caused them. */
export const deliver: Bench = async (options) => {
  const { folder, profile, quick, resources } = options
  const backlog = quick ? 200 : 20_000
  const rounds = quick ? 1 : 3
  const seconds = quick ? 0.2 : 10
  const server = await Postgres.start(resources)
  const { database, tenants } = await Past.start(server, { accounts, capacity: 1 }, options)
  const dispatcher = await Service.start(
    { databaseUrl: database.url, folder, profile, roles: "dispatcher" },
    resources
  )
  const arrivals = new Arrivals()
  const watch = new LagWatch()
  const onEvent = (id: string) => {
    arrivals.arrive(id)
    watch.arrive(id)
  }
  const urls = await Receivers.start({ count: receivers, onEvent }, resources)
  const targets = urls.flatMap((url, place): ReadonlyArray<Target> => {
    const tenant = tenants[place % tenants.length]
    return tenant === undefined ? [] : [{ tenant, url }]
  })

  const service: Side = {
    database,
    server,
    program: dispatcher,
    fill: (events) => store(database, events),
    drained: () => settled(database)
  }
  const sides = { dispatcher: service, "by hand": await startByHand(server, resources) }

  const measured = new Map(names.map((name) => [name, new Array<Drained>()]))
  // Round 0 warms up.
  for (let round = quick ? 1 : 0; round <= rounds; round++) {
    for (const name of names) {
      progress(`deliver: a backlog, ${name}, round ${round} of ${rounds}`)
      const run = await drain(sides[name], eventsFor(targets, backlog), arrivals)
      if (round > 0) measured.get(name)?.push(run)
    }
  }
  const sent = {
    counted: { node: dispatcher, postgres: server, callers: nobody },
    cause: committing(database, targets, resources),
    drained: () => settled(database)
  }
  const steady = steadyRates.map((perSecond) => ({ perSecond, lags: new Array<Lags>() }))
  for (let round = 1; round <= rounds; round++) {
    for (const { lags, perSecond } of steady) {
      progress(`deliver: ${perSecond} a second, round ${round} of ${rounds}`)
      lags.push(await watch.measure(sent, evenly({ perSecond, seconds })))
    }
  }

  const runsOf = (name: (typeof names)[number]) => measured.get(name) ?? []
  const perSecondOf = (name: (typeof names)[number]) => medianOf(runsOf(name), (run) => run.perSecond)
  printTable(
    `deliver, a backlog of ${backlog}, on ${server.name}`,
    names.map((name) => ({
      side: name,
      "deliveries/s": perSecondOf(name),
      "to by hand": ratio(perSecondOf(name), perSecondOf("by hand")),
      ...cpuColumns(runsOf(name)),
      "WAL KiB": medianOf(runsOf(name), (run) => run.walKib),
      transactions: medianOf(runsOf(name), (run) => run.transactions)
    }))
  )
  printTable(
    "deliver, committed past the service, from commit to receiver",
    steady.map(({ lags }) => lagColumns(lags))
  )
}

/** When the first and the last of the events arrived that are waited for. */
class Arrivals {
  #awaited = new Set<string>()
  #first: number | undefined
  #last = 0

  await(events: ReadonlyArray<Event>): void {
    this.#awaited = new Set(events.map(({ id }) => id))
    this.#first = undefined
  }

  arrive(id: string): void {
    if (!this.#awaited.delete(id)) return
    this.#last = performance.now()
    this.#first ??= this.#last
  }

  /** Seconds from the first to the last of them. */
  seconds(): number {
    if (this.#first === undefined || this.#awaited.size > 0)
      throw new Error(`${this.#awaited.size} events are settled and have not arrived`)
    return (this.#last - this.#first) / 1_000
  }
}

const Counters = Schema.Struct({ bytes: Schema.NumberFromString, transactions: Schema.NumberFromString })

const countersOf = async ({ run }: Postgres.Database): Promise<typeof Counters.Type> => {
  const [row] = await run(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes, xact_commit AS transactions
    FROM pg_stat_database WHERE datname = current_database()`
  )
  return Schema.decodeUnknownSync(Counters)(row)
}

/** Backends report what they did about once a second. */
const reported = () => pause(1_100)

const drain = async (side: Side, events: ReadonlyArray<Event>, arrivals: Arrivals): Promise<Drained> => {
  const { database, drained, fill, program, server } = side
  await reported()
  const { transactions } = await countersOf(database)
  arrivals.await(events)
  await fill(events)
  const counted = await counting({ node: program, postgres: server, callers: nobody })
  const { bytes } = await countersOf(database)
  await drained()
  const cpu = await counted(events.length)
  await reported()
  const after = await countersOf(database)
  return {
    perSecond: events.length / arrivals.seconds(),
    cpu,
    walKib: (after.bytes - bytes) / events.length / 1_024,
    transactions: (after.transactions - transactions) / events.length
  }
}

const startByHand = async (server: Postgres.Server, resources: AsyncDisposableStack): Promise<Side> => {
  const database = await server.database("by_hand")
  const program = await Outbox.start(database, resources)
  return {
    database,
    server,
    program,
    fill: async (events) => {
      await database.run(
        `INSERT INTO outbox (id, url, body)
        SELECT e.id, e.url, ${bodySql("e.id")} FROM unnest($1::uuid[], $2::text[]) AS e (id, url)`,
        [events.map(({ id }) => id), events.map(({ url }) => url)]
      )
    },
    drained: () => Outbox.drained(database)
  }
}

/** How fast old executions are removed, what that does to creates beside it, and what is left of them on disk. */
import { setTimeout as pause } from "node:timers/promises"
import type { Retention } from "@runhook/core/domain/Retention"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Bench } from "./Bench.ts"
import { type Cpu, counting, cpuColumns, nobody, thisProcess } from "./Cpu.ts"
import { load, type Measured } from "./Load.ts"
import { medianOf, number, printTable, progress, quantile, ratio, ratioOfRounds } from "./Report.ts"
import { pastTables, seedDelivered, seedHistory } from "./Seeding.ts"
import * as Service from "./Service.ts"
import * as StoreRunner from "./StoreRunner.ts"

/** What was just made is old then. */
const kept: Retention = {
  executions: Duration.days(7),
  delivered: Duration.days(30),
  dead: Duration.days(90)
}
const later = Duration.days(30)

/** As the service takes them, and others to compare; the last takes all that is left. */
const usual = 100
const bites = [usual, 250, 1_000]

/** Between two bites of the service, in milliseconds. */
const pace = 100

const Size = Schema.Struct({ mib: Schema.Finite })

export const retention: Bench = async ({ ours, quick, resources, rows }) => {
  const { database, server, service: program } = await ours()
  const tenant = await Service.makeTenant(program, 1)
  const runtime = StoreRunner.openStore({ database, maxConnections: 2 }, resources)

  const fill = async () => {
    const seed = { database, tenant, rows, until: new Date() }
    await seedHistory({ ...seed, others: "ended" })
    await seedDelivered(seed)
  }

  const mebibytes = async () => {
    const [row] = await database.run(
      "SELECT (sum(pg_total_relation_size(t::regclass)) / 1048576)::float8 AS mib FROM unnest($1::text[]) AS t",
      [pastTables]
    )
    return Schema.decodeUnknownSync(Size)(row).mib
  }

  /** One bite, and whether there are more. */
  const bite = (limit: number) =>
    runtime.runPromise(
      Effect.gen(function* () {
        const at = DateTime.addDuration(yield* DateTime.now, later)
        return yield* (yield* SweepStore).pruneExecutions({ retention: kept, at, limit })
      })
    )

  progress(`retention: making ${number(rows)} executions`)
  await fill()
  await database.run(`VACUUM (ANALYZE) ${pastTables.join(", ")}`)

  const target = {
    program,
    server,
    url: `${program.baseUrl}/api/v1/integrations/executions`,
    method: "POST" as const,
    headers: { "content-type": "application/json", authorization: `Bearer ${tenant.key}` },
    body: Service.creation(tenant, null)
  }
  const size = { connections: 16, seconds: quick ? 0.2 : 5 }
  const alone = new Array<Measured>()
  const beside = new Array<Measured>()
  progress("retention: creates beside it")
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    alone.push(await load(target, size))
    const end = new AbortController()
    const removing = (async () => {
      while (!end.signal.aborted) {
        await bite(usual)
        await pause(pace)
      }
    })()
    beside.push(await load(target, size))
    end.abort()
    await removing
  }
  printTable(
    `retention, creates at ${size.connections} connections, on ${server.name}`,
    [["alone", alone] as const, ["beside removals", beside] as const].map(([name, runs]) => ({
      creates: name,
      "creates/s": medianOf(runs, ({ perSecond }) => perSecond),
      "to alone": ratioOfRounds(runs, alone, ({ perSecond }) => perSecond),
      "p50 ms": medianOf(runs, ({ p50 }) => p50),
      "p99 ms": medianOf(runs, ({ p99 }) => p99),
      ...cpuColumns(runs)
    }))
  )

  const full = await mebibytes()
  const share = Math.floor(rows / 10)
  const table = []
  for (const limit of bites) {
    const most = limit === bites.at(-1) ? rows : share
    progress(`retention: ${limit} at a time`)
    const millis = new Array<number>()
    const counted = await counting({ node: thisProcess, postgres: server, callers: nobody })
    let removed = 0
    // A walk may be at its end already.
    for (let walks = 0; walks < 2 && removed < most;) {
      const begun = performance.now()
      const { hasMore, pruned } = await bite(limit)
      if (pruned > 0) millis.push(performance.now() - begun)
      removed += pruned
      if (!hasMore) walks++
    }
    const cpu: Cpu = await counted(removed)
    const seconds = millis.reduce((sum, each) => sum + each, 0) / 1_000
    table.push({
      "bite of": limit,
      removed: number(removed),
      "a second, without pauses": removed / seconds,
      "a second, with pauses": removed / (seconds + (millis.length * pace) / 1_000),
      "ms a bite (median)": quantile(millis, 0.5),
      "99 of 100": quantile(millis, 0.99),
      ...cpuColumns([{ cpu }])
    })
  }
  printTable("retention, the bites", table)

  const removed = await mebibytes()
  await database.run(`VACUUM (ANALYZE) ${pastTables.join(", ")}`)
  const vacuumed = await mebibytes()
  progress(`retention: making ${number(rows)} executions again`)
  await fill()
  const again = await mebibytes()
  printTable("retention, on disk", [
    { state: "full", "tables and indexes MiB": full, "to full": ratio(full, full) },
    { state: "removed", "tables and indexes MiB": removed, "to full": ratio(removed, full) },
    { state: "vacuumed", "tables and indexes MiB": vacuumed, "to full": ratio(vacuumed, full) },
    { state: "full again", "tables and indexes MiB": again, "to full": ratio(again, full) }
  ])
}

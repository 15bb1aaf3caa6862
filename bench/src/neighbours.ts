/** What an account that creates executions notices of another one that asks for all that the service allows it. */
import { Worker } from "node:worker_threads"
import type { Bench } from "./Bench.ts"
import { type Cpu, counting, nobody } from "./Cpu.ts"
import type { Orders, Tally } from "./neighbours/Attacker.ts"
import { attacks, type AttackName } from "./neighbours/Attacks.ts"
import { createSteadily, type Steady } from "./neighbours/Steady.ts"
import * as Postgres from "./Postgres.ts"
import { medianOf, printTable, progress, ratio } from "./Report.ts"
import * as Service from "./Service.ts"

/** Creates a second of the account that is watched. */
const perSecond = 40

interface Round {
  readonly alone: Steady
  readonly beside: Steady
  readonly tally: Tally
  /** What each second of both cost. */
  readonly cpu: Cpu
}

export const neighbours: Bench = async ({ folder, profile, quick, resources }) => {
  const rounds = quick ? 1 : 3
  const seconds = quick ? 0.1 : 6
  const server = await Postgres.start(resources)
  const database = await server.database("service")
  const service = await Service.start(
    { databaseUrl: database.url, folder, profile, limits: "default" },
    resources
  )
  const watched = await Service.makeTenant(service, 1, { per_second: 1_000, burst: 1_000 })
  const measure = (length: number) => createSteadily({ service, tenant: watched, perSecond, seconds: length })

  progress("neighbours: warming up")
  await measure(seconds)

  const table = []
  for (const name of Object.keys(attacks) as ReadonlyArray<AttackName>) {
    const attacker = await startAttacker({ name, service, quick }, resources)
    const measured = new Array<Round>()
    for (let round = 1; round <= rounds; round++) {
      progress(`neighbours: ${name}, round ${round} of ${rounds}`)
      const alone = await measure(seconds)
      await attacker.begin()
      const counted = await counting({ node: service, postgres: server, callers: nobody })
      const beside = await measure(seconds)
      const cpu = await counted(seconds)
      measured.push({ alone, beside, cpu, tally: await attacker.end() })
      progress(
        `neighbours: p50 ${alone.p50.toFixed(1)} and ${beside.p50.toFixed(1)} ms, p99 ${alone.p99.toFixed(1)} and ${beside.p99.toFixed(1)} ms`
      )
    }
    await attacker.leave()
    const figure = (of: (round: Round) => number) => medianOf(measured, of)
    const p50 = figure(({ beside }) => beside.p50)
    const p99 = figure(({ beside }) => beside.p99)
    table.push({
      beside: name,
      "its requests/s": figure(({ tally }) => tally.answered) / seconds,
      "of them served/s": figure(({ tally }) => tally.served) / seconds,
      "p50 ms": p50,
      "p99 ms": p99,
      "longest ms": Math.max(...measured.map(({ beside }) => beside.longest)),
      "p50 to alone": ratio(
        p50,
        figure(({ alone }) => alone.p50)
      ),
      "p99 to alone": ratio(
        p99,
        figure(({ alone }) => alone.p99)
      ),
      "Node CPU ms a second": figure(({ cpu }) => cpu.node) / 1000,
      "PostgreSQL CPU ms a second": figure(({ cpu }) => cpu.postgres) / 1000
    })
  }
  printTable(`neighbours, ${perSecond} creates a second of one account, on ${server.name}`, table)
}

/** A thread of its own, so that what it parses delays no measurement. */
const startAttacker = async (orders: Orders, resources: AsyncDisposableStack) => {
  const worker = new Worker(new URL("./neighbours/Attacker.ts", import.meta.url), {
    workerData: { ...orders, service: { baseUrl: orders.service.baseUrl, adminKey: orders.service.adminKey } }
  })
  resources.defer(async () => void (await worker.terminate()))
  const answers = new Array<(tally: Tally) => void>()
  const failure = new Promise<never>((_, reject) => worker.once("error", reject))
  failure.catch(() => undefined)
  worker.on("message", (tally: Tally) => answers.shift()?.(tally))
  const heard = () => Promise.race([new Promise<Tally>((resolve) => answers.push(resolve)), failure])
  const say = (word: "begin" | "end") => {
    const answer = heard()
    worker.postMessage(word, [])
    return answer
  }
  await heard()
  return { begin: () => say("begin"), end: () => say("end"), leave: () => worker.terminate() }
}

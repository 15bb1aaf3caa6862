/** What executions cost that are created 500 to a request, and what another caller notices. */
import type { Bench } from "./Bench.ts"
import { type Cpu, counting, cpuColumns, nobody } from "./Cpu.ts"
import { load } from "./Load.ts"
import { neighbour } from "./Neighbour.ts"
import { medianOf, printTable, progress, quantile, ratio, ratioOfRounds } from "./Report.ts"
import { pastRows, seedPast } from "./Seeding.ts"
import * as Service from "./Service.ts"

/** As many as one request creates. */
const batchMax = 500

interface Measured {
  readonly perSecond: number
  readonly cpu: Cpu
}

const costOf = ({ cpu }: Measured): number => cpu.node + (Number.isNaN(cpu.postgres) ? 0 : cpu.postgres)

export const batch: Bench = async (options) => {
  const { quick } = options
  const seconds = quick ? 0.3 : 3
  const rounds = quick ? 1 : 3
  const { database, server, service } = await options.ours()
  const tenants = await Service.makeTenants(service, 2, 1)
  await seedPast(database, tenants, pastRows(options))
  const [caller, busy] = tenants
  if (caller === undefined || busy === undefined) throw new Error("There are no two accounts")
  const creates = neighbour(service, caller)
  const url = `${service.baseUrl}/api/v1/integrations/executions`
  const { body, headers } = Service.creationBy(busy, null)
  const items = `{"items":[${Array.from({ length: batchMax }, () => body).join()}]}`
  const isOverAfter = (millis: number) => {
    const end = performance.now() + millis
    return () => performance.now() > end
  }

  const single = (connections: number): Promise<Measured> =>
    load({ program: service, server, url, method: "POST", headers, body }, { connections, seconds })

  /** One batch after the other. */
  const batches = async (): Promise<Measured> => {
    const isOver = isOverAfter(seconds * 1_000)
    const counted = await counting({ node: service, postgres: server, callers: nobody })
    const begun = performance.now()
    let created = 0
    do {
      const answer = await fetch(`${url}/batch`, { method: "POST", headers, body: items })
      const text = await answer.text()
      if (text.split('"status":201').length !== batchMax + 1) throw new Error(text.slice(0, 500))
      created += batchMax
    } while (!isOver())
    return { perSecond: (created / (performance.now() - begun)) * 1_000, cpu: await counted(created) }
  }

  const sides = { "one by one": () => single(1), "64 at once": () => single(64), "500 to a request": batches }
  const found = Object.keys(sides).map(() => new Array<Measured>())
  const beside = new Array<{ readonly alone: number; readonly meanwhile: number }>()
  // Round 0 warms up.
  for (let round = quick ? 1 : 0; round <= rounds; round++) {
    progress(`batch: round ${round} of ${rounds}`)
    for (const [place, measure] of Object.values(sides).entries()) {
      const measured = await measure()
      if (round > 0) found[place]?.push(measured)
    }
    const alone = quantile(await creates(isOverAfter(seconds * 1_000)), 0.5)
    const isOver = isOverAfter(seconds * 1_000)
    const [took] = await Promise.all([creates(isOver), batches()])
    if (round > 0) beside.push({ alone, meanwhile: quantile(took, 0.5) })
  }
  const [oneByOne = []] = found
  printTable(
    `batch, creates, on ${server.name}`,
    Object.keys(sides).map((side, place) => {
      const runs = found[place] ?? []
      return {
        creates: side,
        "executions/s": medianOf(runs, ({ perSecond }) => perSecond),
        "CPU to one by one": ratioOfRounds(runs, oneByOne, costOf),
        ...cpuColumns(runs)
      }
    })
  )
  const p50 = (side: "alone" | "meanwhile") => medianOf(beside, (round) => round[side])
  printTable("batch, another caller's creates", [
    {
      "p50 ms": p50("alone"),
      "beside batches, p50 ms": p50("meanwhile"),
      "to alone": ratio(p50("meanwhile"), p50("alone"))
    }
  ])
}

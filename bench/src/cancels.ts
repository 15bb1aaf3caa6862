/** How long a job takes to cancel the executions that wait in an account, and what another caller notices. */
import { setTimeout as pause } from "node:timers/promises"
import * as Schema from "effect/Schema"
import type { Bench } from "./Bench.ts"
import { type Cpu, counting, cpuColumns, nobody } from "./Cpu.ts"
import { neighbour } from "./Neighbour.ts"
import { medianOf, printTable, progress, quantile, ratio } from "./Report.ts"
import { pastRows, seedPast } from "./Seeding.ts"
import * as Service from "./Service.ts"

/** As many as one request creates. */
const batchMax = 500

const Begun = Schema.fromJsonString(Schema.Struct({ job_id: Schema.String, matched: Schema.Int }))
const Job = Schema.fromJsonString(
  Schema.Struct({ cancelled: Schema.Int, finished_at: Schema.NullOr(Schema.String) })
)

interface Round {
  readonly alone: ReadonlyArray<number>
  readonly beside: ReadonlyArray<number>
  readonly seconds: number
  readonly cpu: Cpu
}

export const cancels: Bench = async ({ ours, quick }) => {
  const count = quick ? batchMax : 10_000
  const rounds = quick ? 1 : 3
  const { database, server, service } = await ours()
  const tenants = await Service.makeTenants(service, 2, 1)
  // What is kept is not the question here.
  await seedPast(database, tenants, pastRows({ quick: true }))
  const [caller, busy] = tenants
  if (caller === undefined || busy === undefined) throw new Error("There are no two accounts")
  const creates = neighbour(service, caller)
  const url = `${service.baseUrl}/api/v1/integrations/executions`
  const headers = { authorization: `Bearer ${busy.key}`, "content-type": "application/json" }
  const asked = async (path: string, body?: object) => {
    const answer = await fetch(url + path, {
      headers,
      ...(body && { method: "POST", body: JSON.stringify(body) })
    })
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}`)
    return answer.text()
  }

  const measure = async (): Promise<Round> => {
    const create = { agent_id: busy.agentId, task_id: busy.taskId, params: { copies: 2 } }
    for (let made = 0; made < count; made += batchMax) {
      await asked("/batch", { items: Array.from({ length: batchMax }, () => create) })
    }
    const end = performance.now() + (quick ? 200 : 5_000)
    const alone = await creates(() => performance.now() > end)
    const counted = await counting({ node: service, postgres: server, callers: nobody })
    let isOver = false
    const beside = creates(() => isOver)
    const begun = performance.now()
    const { job_id, matched } = Schema.decodeUnknownSync(Begun)(await asked("/cancel", { filter: {} }))
    let job
    do {
      await pause(100)
      job = Schema.decodeUnknownSync(Job)(await asked(`/jobs/${job_id}`))
    } while (job.finished_at === null)
    const seconds = (performance.now() - begun) / 1_000
    isOver = true
    if (job.cancelled !== matched) throw new Error(`Of ${matched}, ${job.cancelled} were cancelled`)
    return { alone, beside: await beside, seconds, cpu: await counted(count) }
  }

  const found = new Array<Round>()
  // Round 0 warms up.
  for (let round = quick ? 1 : 0; round <= rounds; round++) {
    progress(`cancels: round ${round} of ${rounds}`)
    const measured = await measure()
    if (round > 0) found.push(measured)
  }
  const figure = (side: "alone" | "beside", share: number) =>
    medianOf(found, (round) => quantile(round[side], share))
  const seconds = medianOf(found, (round) => round.seconds)
  printTable(`cancels, a job over ${count} queued, on ${server.name}`, [
    {
      "until all are cancelled, s": seconds,
      "cancelled/s": count / seconds,
      "another's create, p50 ms": figure("alone", 0.5),
      "meanwhile, p50 ms": figure("beside", 0.5),
      "p50 to alone": ratio(figure("beside", 0.5), figure("alone", 0.5)),
      "meanwhile, p99 ms": figure("beside", 0.99),
      ...cpuColumns(found)
    }
  ])
}

/** How long it takes to create the executions of schedules that are due at once, and what another caller notices. */
import { setTimeout as pause } from "node:timers/promises"
import * as Schema from "effect/Schema"
import type { Bench } from "./Bench.ts"
import { type Cpu, counting, cpuColumns, nobody } from "./Cpu.ts"
import { neighbour } from "./Neighbour.ts"
import type * as Postgres from "./Postgres.ts"
import { medianOf, printTable, progress, quantile, ratio } from "./Report.ts"
import { pastRows, seedPast } from "./Seeding.ts"
import * as Service from "./Service.ts"

/** With as many schedules as an account may have. */
const busyAccounts = 10

/** In milliseconds since 1970. */
const now = (): number => performance.timeOrigin + performance.now()

/** The service looks by itself as often: what is due later than this is found without a signal. */
const aheadMillis = 6_000

interface Round {
  readonly alone: ReadonlyArray<number>
  readonly beside: ReadonlyArray<number>
  readonly seconds: number
  readonly cpu: Cpu
}

const Left = Schema.Tuple([Schema.Struct({ left: Schema.NumberFromString })])

export const schedules: Bench = async ({ ours, quick }) => {
  const perAccount = quick ? 5 : 1_000
  const rounds = quick ? 1 : 3
  const { database, server, service } = await ours()
  const tenants = await Service.makeTenants(service, busyAccounts + 1, 1)
  // What is kept is not the question here.
  await seedPast(database, tenants, pastRows({ quick: true }))
  const [caller, ...busy] = tenants
  if (caller === undefined) throw new Error("There is no account")
  for (const tenant of busy) await fill(service, tenant, database, perAccount)

  const creates = neighbour(service, caller)
  const left = async () => {
    const rows = await database.run("SELECT count(*) AS left FROM schedules WHERE last_at IS NULL")
    return Schema.decodeUnknownSync(Left)(rows)[0].left
  }

  const measure = async (): Promise<Round> => {
    const end = performance.now() + (quick ? 200 : 5_000)
    const alone = await creates(() => performance.now() > end)
    const due = now() + aheadMillis
    const at = new Date(due).toISOString()
    await database.run("UPDATE schedules SET last_at = NULL, anchor_at = $1, next_at = $1, wake_at = $1", [
      at
    ])
    await pause(due - now())
    const counted = await counting({ node: service, postgres: server, callers: nobody })
    let isOver = false
    const beside = creates(() => isOver)
    while ((await left()) > 0) await pause(50)
    const seconds = (now() - due) / 1_000
    isOver = true
    return { alone, beside: await beside, seconds, cpu: await counted(busyAccounts * perAccount) }
  }

  const found = new Array<Round>()
  // Round 0 warms up.
  for (let round = quick ? 1 : 0; round <= rounds; round++) {
    progress(`schedules: round ${round} of ${rounds}`)
    const measured = await measure()
    if (round > 0) found.push(measured)
  }
  const figure = (side: "alone" | "beside", share: number) =>
    medianOf(found, (round) => quantile(round[side], share))
  const seconds = medianOf(found, (round) => round.seconds)
  printTable(`schedules, ${busyAccounts * perAccount} due at once, on ${server.name}`, [
    {
      "until all are created, s": seconds,
      "created/s": (busyAccounts * perAccount) / seconds,
      "another's create, p50 ms": figure("alone", 0.5),
      "meanwhile, p50 ms": figure("beside", 0.5),
      "p50 to alone": ratio(figure("beside", 0.5), figure("alone", 0.5)),
      "meanwhile, p99 ms": figure("beside", 0.99),
      ...cpuColumns(found)
    }
  ])
}

/** As many schedules of one account, which are due once in a year. */
const fill = async (
  service: Service.Service,
  { agentId, key, taskId }: Service.Tenant,
  { run }: Postgres.Database,
  count: number
) => {
  const body = {
    name: "Yearly",
    every_seconds: 31_536_000,
    missed: "all",
    execution: { agent_id: agentId, task_id: taskId, params: { copies: 2 } }
  }
  const url = `${service.baseUrl}/api/v1/integrations/schedules`
  const { id } = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.String }))(
    await Service.post({ url, key, body })
  )
  await run(
    `INSERT INTO schedules
    SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid()))).*
    FROM schedules s, generate_series(2, $2::integer)
    WHERE s.id = $1::uuid`,
    [id, count]
  )
}

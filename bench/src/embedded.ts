/** What a create costs in a host of one's own, in fetch form; beside a handler of that form written by hand. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Schema from "effect/Schema"
import type { Bench } from "./Bench.ts"
import { cpuColumnsOverHttp } from "./Cpu.ts"
import { load, type Measured, type Target } from "./Load.ts"
import * as Postgres from "./Postgres.ts"
import * as Program from "./Program.ts"
import { medianOf, printTable, progress, ratioOfRounds } from "./Report.ts"
import * as Service from "./Service.ts"

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const embedded: Bench = async ({ folder, quick, resources }) => {
  const seconds = quick ? 0.2 : 4
  const rounds = quick ? 1 : 3
  const server = await Postgres.start(resources)
  const sides = [
    { name: "embedded", target: await startEmbedded(server, folder, resources) },
    { name: "by hand", target: await startByHand(server, resources) }
  ]

  progress("embedded: warming up")
  for (const { target } of sides) await load(target, { connections: 64, seconds: quick ? 0.2 : 20 })

  const rows = []
  for (const connections of [1, 64]) {
    const measured = sides.map(({ name, target }) => ({ name, target, runs: new Array<Measured>() }))
    for (let round = 1; round <= rounds; round++) {
      progress(`embedded: ${connections} connections, round ${round} of ${rounds}`)
      for (const { runs, target } of measured) runs.push(await load(target, { connections, seconds }))
    }
    const byHand = measured.at(-1)?.runs ?? []
    for (const { name, runs } of measured)
      rows.push({
        connections,
        side: name,
        "creates/s": medianOf(runs, (run) => run.perSecond),
        "to by hand": ratioOfRounds(runs, byHand, (run) => run.perSecond),
        "p50 ms": medianOf(runs, (run) => run.p50),
        "p99 ms": medianOf(runs, (run) => run.p99),
        ...cpuColumnsOverHttp(runs)
      })
  }
  printTable(`embedded, on ${server.name}`, rows)
}

const Made = Schema.fromJsonString(
  Schema.Struct({ url: Schema.String, key: Schema.String, agentId: Schema.String, taskId: Schema.String })
)

const startEmbedded = async (
  server: Postgres.Server,
  folder: string,
  resources: AsyncDisposableStack
): Promise<Target> => {
  const { url: DATABASE_URL } = await server.database("embedded")
  const environment = { DATABASE_URL, FILES_DIR: join(folder, "files") }
  const args = [fileOf("EmbeddedHost.ts")]
  const program = await Program.start({ args, environment, ready: /ready: (.*)/ }, resources)
  const { key, url, ...tenant } = Schema.decodeUnknownSync(Made)(program.said)
  return {
    program,
    server,
    url: `${url}/api/v1/integrations/executions`,
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: Service.creation(tenant, null)
  }
}

const startByHand = async (server: Postgres.Server, resources: AsyncDisposableStack): Promise<Target> => {
  const database = await server.database("by_hand")
  await Postgres.migrate(database)
  const args = [fileOf("rivals/FetchInsert.ts")]
  const environment = { DATABASE_URL: database.url }
  const program = await Program.start({ args, environment, ready: /(http:\S+)/ }, resources)
  const some = "01890000-0000-7000-8000-000000000001"
  return {
    program,
    server,
    url: `${program.said}/executions`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Service.creation({ agentId: some, taskId: some }, null)
  }
}

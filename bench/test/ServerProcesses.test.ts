import { assert, describe, it } from "@effect/vitest"
import { Client } from "pg"
import * as Postgres from "../src/Postgres.ts"

/** In milliseconds: it starts a database server. */
const runMax = 120_000

/** Whether the server is one that Linux tells of: a given one may run anywhere. */
const isTold = process.platform === "linux" && process.env["RUNHOOK_DATABASE_URL"] === undefined

/** Works for some tenths of a second in a process of the server, which has ended when this answers. */
const work = async ({ run, url }: Postgres.Database): Promise<void> => {
  const client = new Client({ connectionString: url, application_name: "work" })
  await client.connect()
  await client.query("SELECT count(*) FROM generate_series(1, 3000000)")
  await client.end()
  for (let looks = 0; looks < 1_000; looks++) {
    const [working] = await run("SELECT FROM pg_stat_activity WHERE application_name = 'work'")
    if (working === undefined) return
  }
}

describe("the CPU time of a database server", () => {
  it(
    "holds that of its processes, also when they have ended",
    async () => {
      await using resources = new AsyncDisposableStack()
      const server = await Postgres.start(resources)
      const database = await server.database("cpu_time")

      const before = await server.cpuSeconds()
      await work(database)
      const spent = (await server.cpuSeconds()) - before

      if (isTold) assert.isAbove(spent, 0.05)
      else assert.isTrue(Number.isNaN(spent) || spent > 0.05)
    },
    runMax
  )
})

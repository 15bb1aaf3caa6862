/** For a whole run of the tests: three servers of Citus, where whoever asks for a database gets a distributed one. */
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { TestProject } from "vitest/node"
import { asTemplate, createDatabase, said, start, urlOf } from "@runhook/test-support/citus/Cluster"

/** What all databases are copies of: nodes that know each other, and the whole schema on them. */
const [bare, whole] = ["runhook_bare", "runhook_whole"]

export const setup = async (project: TestProject) => {
  const nodes = await start()
  const end = async () => {
    await Promise.all(nodes.map((node) => node.end()))
  }
  try {
    // Two for each worker, which is what makes databases soon.
    await said(nodes[0]?.port ?? 0, "postgres", "ALTER ROLE postgres SET citus.shard_count = 4")
    await createDatabase(nodes, bare)
    await asTemplate(nodes, bare)
    const [coordinator = "", ...workers] = nodes.map(({ port }) => urlOf(port, "postgres"))
    await Promise.all(
      nodes.map(({ port }) =>
        said(port, "postgres", `CREATE DATABASE ${whole} TEMPLATE ${bare} STRATEGY file_copy`)
      )
    )
    const url = Redacted.make(urlOf(nodes[0]?.port ?? 0, whole))
    await Effect.runPromise(PgDatabase.upToDate({ url }))
    await asTemplate(nodes, whole)
    project.provide("citus", { coordinator, workers, bare, whole })
  } catch (cause) {
    await end()
    throw cause
  }
  return end
}

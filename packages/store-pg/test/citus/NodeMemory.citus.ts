/** A session of a node does not grow with what it is asked: Citus 13.2 keeps something of each execution of a generic plan. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import { fanOutAll, makeEndpoint } from "@runhook/store-testing/endpoints/EndpointFixtures"
import { callbackUrl, makeExecution, makeTenant, type Tenant } from "@runhook/store-testing/Fixtures"
import * as TestServer from "@runhook/test-support/postgres/TestServer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import { TestDatabase } from "../TestDatabase.ts"

/** As one process with one connection. */
const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(
    Layer.unwrap(
      TestDatabase.use(({ url }) =>
        Effect.succeed(PgDatabase.layer({ url, minConnections: 1, maxConnections: 1 }))
      )
    )
  ),
  Layer.provideMerge(Layer.merge(TestDatabase.layerMigrated, SecureRandom.layerWebCrypto))
)

/** The sessions that a coordinator has at a worker, of the database of the test. */
const sessionsOf = async (worker: string, database: string): Promise<ReadonlyArray<number>> => {
  const client = new Client({ connectionString: worker })
  await client.connect()
  try {
    const { rows } = await client.query<{ readonly pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'citus_internal%'",
      [database]
    )
    return rows.map(({ pid }) => pid)
  } finally {
    await client.end()
  }
}

/** The megabytes that a process of this machine has for itself. */
const megabytesOf = (pid: number): number =>
  Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024

/** All that sessions of nodes have for themselves. */
const megabytes = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const database = new URL(Redacted.value(url)).pathname.slice(1)
  const workers = TestServer.citus?.workers ?? []
  const pids = yield* Effect.promise(() => Promise.all(workers.map((each) => sessionsOf(each, database))))
  return pids.flat().reduce((sum, pid) => sum + megabytesOf(pid), 0)
})

/** Creates executions one by one, and tells an endpoint of each. */
const createMany = (tenant: Tenant, count: number) =>
  Effect.forEach(
    Array.from({ length: count }),
    () => Effect.andThen(makeExecution(tenant, { callbackUrl }), fanOutAll),
    { discard: true }
  )

/** Milliseconds for all of them on a busy machine. */
const timeout = 240_000

describe("A session of a node", () => {
  it.layer(stores, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "does not grow by a thousand creates that an endpoint is told of, which would be 200 MB by generic plans",
      () =>
        Effect.gen(function* () {
          const tenant = yield* makeTenant()
          yield* makeEndpoint(tenant.accountId)
          yield* createMany(tenant, 100)
          const before = yield* megabytes

          yield* createMany(tenant, 1_000)

          assert.isAbove(before, 1)
          assert.isBelow((yield* megabytes) - before, 10)
        }),
      timeout
    )
  })
})

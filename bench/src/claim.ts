/** What a claim costs with little and with very much in the queue: through the store itself, without HTTP. */
import * as PgStore from "@runhook/store-pg/PgStore"
import { presentMax, RunnerSession } from "@runhook/core/domain/RunnerSession"
import { RunStore } from "@runhook/core/ports/RunStore"
import { layerWebCrypto, SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Bench, Options } from "./Bench.ts"
import * as Postgres from "./Postgres.ts"
import { median, number, printTable, progress, ratio } from "./Report.ts"
import { bucketOf, seedBacklog } from "./Seeding.ts"
import * as Service from "./Service.ts"

/** Longer than the whole measurement takes. */
const startDeadline = Duration.hours(1)

/** Claims of each size; together they take less than the smallest backlog has. */
const claimsOf: ReadonlyArray<{ readonly limit: number; readonly rounds: number }> = [
  { limit: 10, rounds: 300 },
  { limit: 100, rounds: 60 }
]
const claimedMax = 10_000

/** A queue of some length, and a claim on it. */
interface Backlog {
  readonly rows: number
  /** Claims up to so many, and answers the milliseconds that this took. */
  readonly claim: (limit: number) => Promise<number>
}

export const claim: Bench = async (options) => {
  const { quick, resources, rows } = options
  const server = await Postgres.start(resources)
  const sizes = [...new Set([10_000, Math.min(1_000_000, rows), rows])]
  const backlogs: Array<Backlog> = []
  for (const size of sizes) {
    progress(`claim: making a backlog of ${number(size)}`)
    backlogs.push(await makeBacklog(server, size, options))
  }

  const table = []
  for (const { limit, rounds } of claimsOf) {
    progress(`claim: ${limit} at a time`)
    const millis = new Map(backlogs.map((backlog) => [backlog, new Array<number>()]))
    for (let round = 0; round < (quick ? 5 : rounds); round++) {
      for (const backlog of backlogs) millis.get(backlog)?.push(await backlog.claim(limit))
    }
    const medianAt = (backlog: Backlog | undefined) => median((backlog && millis.get(backlog)) ?? [])
    for (const backlog of backlogs) {
      table.push({
        backlog: number(backlog.rows),
        "claim of": limit,
        "ms (median)": medianAt(backlog),
        "to the smallest": ratio(medianAt(backlog), medianAt(backlogs[0]))
      })
    }
  }
  printTable(`claim, on ${server.name}`, table)
}

const makeBacklog = async (
  server: Postgres.Server,
  rows: number,
  { folder, resources }: Options
): Promise<Backlog> => {
  const database = await server.database(`backlog_${rows}`)
  const tenant = await makeTenant(database, folder)
  await seedBacklog({ database, tenant, rows, claimed: claimedMax })
  for (const table of ["executions", "execution_requests", "ready_queue"]) {
    await database.run(`VACUUM (ANALYZE) ${table}`)
  }
  const bucket = await bucketOf(database, tenant)

  const store = PgStore.layer({ url: Redacted.make(database.url), maxConnections: 2 })
  const runtime = ManagedRuntime.make(Layer.provideMerge(store, layerWebCrypto))
  resources.defer(() => runtime.dispose())
  const session = await runtime.runPromise(openSession(tenant))

  return {
    rows,
    claim: async (limit) => {
      await database.run(
        "UPDATE agent_slots SET execution_id = NULL, session_id = NULL WHERE bucket = $1 AND agent_id = $2::uuid",
        [bucket, tenant.agentId]
      )
      const [claims, millis] = await runtime.runPromise(timedClaim(session, limit))
      if (claims !== limit) throw new Error(`${claims} were claimed instead of ${limit}`)
      return millis
    }
  }
}

/** By the service, which ends before anything is measured. */
const makeTenant = async (database: Postgres.Database, folder: string): Promise<Service.Tenant> => {
  await using resources = new AsyncDisposableStack()
  const options = { databaseUrl: database.url, folder, profile: null }
  return await Service.makeTenant(await Service.start(options, resources), 100)
}

const openSession = Effect.fnUntraced(function* ({ accountId, agentId, keyId }: Service.Tenant) {
  const { uuidV7 } = yield* SecureRandom
  const at = yield* DateTime.now
  const session = yield* Schema.decodeUnknownEffect(RunnerSession)({
    id: yield* uuidV7(),
    accountId,
    runnerKeyId: keyId,
    instanceId: "bench",
    runnerName: "Bench",
    version: null,
    agentIds: [agentId],
    capacity: 100,
    labels: {},
    isDraining: false,
    createdAt: at,
    lastSeenAt: at
  })
  return (yield* RunStore.use((store) => store.openSession({ session, presentMax }))).session
})

const timedClaim = Effect.fnUntraced(function* (session: RunnerSession, limit: number) {
  const store = yield* RunStore
  const claimId = yield* (yield* SecureRandom).uuidV7()
  const at = yield* DateTime.now
  const begun = performance.now()
  const { claims } = yield* store.claim({ session, claimId, limit, startDeadline, at })
  return [claims.length, performance.now() - begun] as const
})

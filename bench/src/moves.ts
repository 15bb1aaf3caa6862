/** What it costs to start and to finish an execution: through the store itself, without HTTP; beside the same rows written by hand. */
import { Execution } from "@runhook/core/domain/execution/Execution"
import { atOnce } from "@runhook/core/domain/execution/RetryBackoff"
import { StoredJson } from "@runhook/core/domain/json/StoredJson"
import type { Run } from "@runhook/core/domain/run/Run"
import type { RunnerSession } from "@runhook/core/domain/run/RunnerSession"
import { ExecutionStore } from "@runhook/core/ports/ExecutionStore"
import { RunStore } from "@runhook/core/ports/RunStore"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Bench } from "./Bench.ts"
import { type Cpu, counting, cpuColumns, nobody, thisProcess } from "./Cpu.ts"
import { inParallel } from "./InParallel.ts"
import * as Postgres from "./Postgres.ts"
import { medianOf, printTable, progress, quantile, ratioOfRounds } from "./Report.ts"
import * as MovesByHand from "./rivals/MovesByHand.ts"
import { bucketOf, pastRows, seedPast } from "./Seeding.ts"
import type { Tenant } from "./Service.ts"
import * as StoreRunner from "./StoreRunner.ts"
import { walBytes } from "./Wal.ts"

/** As many as the service holds. */
const connectionsMax = 12

/** One caller alone, who waits for every move, and as many as runners keep busy. */
const sizes = [
  { callers: 1, executions: 200 },
  { callers: 64, executions: 3_000 }
]

const claimSize = 100
const lease = Duration.seconds(60)

const sides = ["store", "by hand"] as const
const moveNames = ["start", "finish"] as const

/** One way of moving what was claimed. */
type Mover = { readonly [Name in (typeof moveNames)[number]]: (run: Run) => Promise<unknown> }

interface Measured {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** What one move cost. */
  readonly cpu: Cpu
  /** Written to the log of the database for one move, in KiB. */
  readonly walKib: number
}

export const moves: Bench = async ({ folder, quick, resources }) => {
  const rounds = quick ? 1 : 5
  const server = await Postgres.start(resources)
  const database = await server.database("moves")
  const tenant = await StoreRunner.makeTenant({ database, folder }, 10_000)
  await seedPast(database, [tenant], pastRows({ quick }))
  const runtime = StoreRunner.openStore({ database, maxConnections: connectionsMax }, resources)
  const session = await runtime.runPromise(StoreRunner.openSession(tenant))
  const owner = { ...tenant, bucket: await bucketOf(database, tenant) }
  const byHand = MovesByHand.open({ url: database.url, connectionsMax, owner }, resources)
  const movers: { readonly [Side in (typeof sides)[number]]: Mover } = {
    store: {
      start: (run) => runtime.runPromise(start(run)),
      finish: (run) => runtime.runPromise(finish(run))
    },
    "by hand": {
      start: ({ execution }) => byHand.start(execution),
      finish: ({ execution }) => byHand.finish(execution)
    }
  }

  const measure = async (runs: ReadonlyArray<Run>, callers: number, move: (run: Run) => Promise<unknown>) => {
    const millis = new Array<number>()
    const walBefore = await walBytes(database)
    const counted = await counting({ node: thisProcess, postgres: server, callers: nobody })
    const begun = performance.now()
    await inParallel(callers, runs, async (run) => {
      const asked = performance.now()
      await move(run)
      millis.push(performance.now() - asked)
    })
    const seconds = (performance.now() - begun) / 1_000
    const cpu = await counted(runs.length)
    return {
      perSecond: runs.length / seconds,
      p50: quantile(millis, 0.5),
      p99: quantile(millis, 0.99),
      cpu,
      walKib: ((await walBytes(database)) - walBefore) / runs.length / 1_024
    }
  }

  const rows = []
  for (const { callers, executions } of quick ? [{ callers: 64, executions: 200 }] : sizes) {
    const cells = moveNames.flatMap((move) =>
      sides.map((side) => ({ move, side, measured: new Array<Measured>() }))
    )
    // Round 0 warms up.
    for (let round = quick ? 1 : 0; round <= rounds; round++) {
      for (const side of sides) {
        progress(`moves: ${callers} callers, ${side}, round ${round} of ${rounds}`)
        const runs = await runtime.runPromise(claimNew({ tenant, session }, executions))
        for (const cell of cells.filter((each) => each.side === side)) {
          const measured = await measure(runs, callers, movers[side][cell.move])
          if (round > 0) cell.measured.push(measured)
        }
      }
    }
    for (const { measured, move, side } of cells) {
      const rival = cells.find((cell) => cell.move === move && cell.side === "by hand")?.measured ?? []
      rows.push({ callers, move, side, ...figuresOf(measured, rival) })
    }
  }
  printTable(`moves, on ${server.name}`, rows)
}

const figuresOf = (runs: ReadonlyArray<Measured>, byHand: ReadonlyArray<Measured>) => ({
  "moves/s": medianOf(runs, (run) => run.perSecond),
  "to by hand": ratioOfRounds(runs, byHand, (run) => run.perSecond),
  "p50 ms": medianOf(runs, (run) => run.p50),
  "p99 ms": medianOf(runs, (run) => run.p99),
  ...cpuColumns(runs),
  "WAL KiB": medianOf(runs, (run) => run.walKib)
})

/** The moves of a runner. The moment is when it asks. */
const writeOf = ({ execution: { accountId, epoch, id } }: Run) =>
  Effect.map(DateTime.now, (at) => ({ accountId, id, epoch, at }))

const start = Effect.fnUntraced(function* (run: Run) {
  const store = yield* RunStore
  return yield* store.start({ ...(yield* writeOf(run)), lease })
})

const finish = Effect.fnUntraced(function* (run: Run) {
  const store = yield* RunStore
  const outcome = { _tag: "Completed", result: StoredJson.of({ pages: 2 }) } as const
  return yield* store.finish({ ...(yield* writeOf(run)), outcome, fingerprint: "0".repeat(64) })
})

interface Runner {
  readonly tenant: Tenant
  readonly session: RunnerSession
}

/** Makes so many executions, and claims them. */
const claimNew = Effect.fnUntraced(function* ({ session, tenant }: Runner, count: number) {
  yield* Effect.replicateEffect(createOne(tenant), count, { concurrency: 256, discard: true })
  const runs = new Array<Run>()
  while (runs.length < count) {
    const claims = yield* StoreRunner.claim(session, Math.min(claimSize, count - runs.length))
    if (claims.length === 0) return yield* Effect.die(new Error(`Only ${runs.length} were to be claimed`))
    runs.push(...claims.map(({ run }) => run))
  }
  return runs
})

/** As it comes from a caller who wants no callbacks. */
const createOne = Effect.fnUntraced(function* ({ accountId, agentId, keyId, taskId, versionId }: Tenant) {
  const at = yield* DateTime.now
  const execution = yield* Schema.decodeUnknownEffect(Execution)({
    id: yield* (yield* SecureRandom).uuidV7(),
    accountId,
    apiKeyId: keyId,
    agentId,
    taskId,
    taskVersionId: versionId,
    status: "queued",
    statusReason: null,
    reference: "order-4711",
    metadata: JSON.stringify({ customer: "Acme", batch: "2025-07" }),
    params: JSON.stringify({ copies: 2 }),
    result: null,
    errorMessage: null,
    priority: 0,
    scheduledAt: null,
    expiresAt: null,
    timeoutSeconds: null,
    maxAttempts: 1,
    retryBackoff: atOnce,
    attempt: 0,
    epoch: 0,
    inputRequest: null,
    callbackUrl: null,
    callbackEvents: null,
    announced: [],
    requestId: "req_0123456789abcdef0123",
    rerunOf: null,
    createdAt: at,
    updatedAt: at,
    startedAt: null,
    stoppedAt: null
  })
  const store = yield* ExecutionStore
  yield* store.create({ execution, idempotency: null, accountMaxLive: 1_000_000, keyMaxLive: null })
})

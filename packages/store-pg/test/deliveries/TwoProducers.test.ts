/** Two processes of a service, whose clocks are 0.4 seconds apart, change the same executions at once. */
import { assert, describe, it } from "@effect/vitest"
import type { Run } from "@runhook/core/runs/Run"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { CallbackOrder, type ClaimedDelivery, DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { attemptOf } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { callbackUrl, makeExecution, makeTenant, second, type Tenant } from "@runhook/store-testing/Fixtures"
import { claimUpTo, lease, makeSession, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerMigrated } from "../TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provide([Layer.succeed(StoreClock, "caller"), Layer.succeed(CallbackOrder, "bounded")]),
  Layer.provideMerge(Layer.fresh(SecureRandom.layerWebCrypto))
)

/** A process of the service: stores and makers of ids of its own, and a clock that stands at an instant. */
const makeProcess = (at: DateTime.Utc) =>
  Effect.map(Layer.build(Layer.fresh(stores)), (services) => ({
    at,
    does: <A, E>(work: Effect.Effect<A, E, Layer.Success<typeof stores>>) =>
      Effect.flatMap(Clock.Clock, (clock) => {
        const standing: Clock.Clock = {
          ...clock,
          currentTimeMillisUnsafe: () => at.epochMilliseconds,
          currentTimeMillis: Effect.succeed(at.epochMilliseconds)
        }
        return work.pipe(Effect.provide(services), Effect.provideService(Clock.Clock, standing))
      })
  }))

const twoProcesses = Effect.all({ ahead: makeProcess(second(10.4)), behind: makeProcess(second(10)) })

type Processes = Effect.Success<typeof twoProcesses>

/** Runs that one claim asks for. */
const claimMax = 100

/** Runs of a tenant that are claimed, and not started. */
const claimedRuns = Effect.fnUntraced(function* (count: number) {
  const tenant = yield* makeTenant({ capacity: count })
  yield* Effect.replicateEffect(makeExecution(tenant, { callbackUrl }), count, { concurrency: 64 })
  const session = yield* makeSession(tenant, { capacity: count })
  const runs: Array<Run> = []
  while (runs.length < count) {
    const limit = Math.min(claimMax, count - runs.length)
    const { claims } = yield* claimUpTo(session, { limit, at: second(1) })
    if (claims.length === 0) return yield* Effect.die(new Error("Nothing more was claimed"))
    runs.push(...claims.map(({ run }) => run))
  }
  return { tenant, runs }
})

/** The one process starts a run while the other stops it. */
const startAndStop = ({ ahead, behind }: Processes, run: Run) => {
  const { accountId, id } = run.execution
  const start = RunStore.use((store) => store.start({ ...writeTo(run, ahead.at), lease }))
  const stop = ExecutionStore.use((store) =>
    store.stop({ accountId, id, to: "aborted", reason: null, at: behind.at })
  )
  return Effect.all([Effect.exit(ahead.does(start)), behind.does(stop)], { concurrency: 2, discard: true })
}

/** Every change that may cause an event, in the order of the lifecycle. */
const lifecycle = ["execution.queued", "execution.started", "execution.aborted"]

/** More claims than it takes. */
const turnsMax = 1_000

/** Claims and settles everything by both processes in turn; answers what the receiver got, by execution. */
const receive = Effect.fnUntraced(function* ({ ahead, behind }: Processes, { accountId }: Tenant) {
  const received = new Map<string, Array<string>>()
  for (let turn = 0; turn < turnsMax; turn++) {
    const { does } = turn % 2 === 0 ? ahead : behind
    const { at } = ahead
    const { deliveries } = yield* does(
      DeliveryStore.use((store) => store.claimDue({ room: roomFor(500), lease, at }))
    )
    if (deliveries.length === 0) return received
    for (const { delivery } of deliveries) {
      const { executionId, type } = delivery
      const types = received.get(executionId ?? "") ?? []
      received.set(executionId ?? "", [...types, type])
    }
    const settle = ({ delivery }: ClaimedDelivery) =>
      ({ accountId, attempt: attemptOf(delivery), verdict: { _tag: "Delivered" } }) as const
    yield* does(DeliveryStore.use((store) => store.settle(deliveries.map(settle), at)))
  }
  return yield* Effect.die(new Error(`After ${turnsMax} claims more is due`))
})

const isInOrder = (types: ReadonlyArray<string>): boolean =>
  types.every(
    (type, place) => place === 0 || lifecycle.indexOf(type) > lifecycle.indexOf(types[place - 1] ?? "")
  )

describe("Two processes with clocks of their own", () => {
  it.layer(layerMigrated)((it) => {
    it.effect("tell of a start before a stop, a thousand times at once", () =>
      Effect.gen(function* () {
        const processes = yield* twoProcesses
        const { runs, tenant } = yield* processes.ahead.does(claimedRuns(1_000))
        yield* Effect.forEach(runs, (run) => startAndStop(processes, run), { concurrency: 16 })

        const received = yield* receive(processes, tenant)

        const wrong = [...received.values()].filter((types) => !isInOrder(types))
        const started = [...received.values()].filter(({ length }) => length === lifecycle.length)
        assert.deepStrictEqual([received.size, wrong], [1_000, []])
        assert.isAbove(started.length, 0)
      })
    )
  })
})

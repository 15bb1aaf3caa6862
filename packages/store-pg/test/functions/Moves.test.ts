/** PostgreSQL looks into the body of a function when it gets there: here it gets everywhere, on Citus as well. */
import { assert, describe, it } from "@effect/vitest"
import { executionStopped } from "@runhook/core/audit/ActivityEvents"
import { auditBy } from "@runhook/core/audit/AuditEntry"
import type { Execution } from "@runhook/core/executions/Execution"
import type { ExecutionId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { Change, Run } from "@runhook/core/runs/Run"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { jana } from "@runhook/store-testing/audit/AuditFixtures"
import { makeInlet } from "@runhook/store-testing/deliveries/queue/InletFixtures"
import { makeEndpoint } from "@runhook/store-testing/endpoints/EndpointFixtures"
import {
  callbackUrl,
  makeExecution,
  makeTenant,
  plenty,
  second,
  type Stores,
  type Tenant
} from "@runhook/store-testing/Fixtures"
import { claimUpTo, lease, makeSession, newQuestion, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { brokenRules } from "../Invariants.ts"
import { layerMigrated } from "../TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provide(Layer.succeed(StoreClock, "caller")),
  Layer.provideMerge(Layer.merge(layerMigrated, SecureRandom.layerWebCrypto))
)

type Moving = Effect.Effect<Change, unknown, Stores>

interface Kind {
  readonly name: string
  readonly fields?: Partial<Execution>
  /** How far it has come before: it waits, is claimed, or was started. Default: it was started. */
  readonly is?: "claimed" | "waiting"
  readonly hasInlet?: boolean
  readonly hasEndpoint?: boolean
  readonly move: (run: Run) => Moving
}

const concurrency = { key: "red", limit: 9, policy: "queue" } as const

const finish =
  (outcome: Parameters<RunStore["Service"]["finish"]>[0]["outcome"]) =>
  (run: Run): Moving =>
    RunStore.use((runs) => runs.finish({ ...writeTo(run, second(4)), outcome, fingerprint: "done" }))

const complete = finish({ _tag: "Completed", result: StoredJson.of({ sum: 3 }) })
const fail = finish({ _tag: "Failed", message: "Broken", isRetryable: false })
const tryAgain = finish({ _tag: "Failed", message: "Broken", isRetryable: true })

const start = (run: Run): Moving => RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease }))

const giveBack = (run: Run): Moving =>
  RunStore.use((runs) => runs.giveBack({ ...writeTo(run, second(3)), delay: Duration.zero }))

const ask = (run: Run): Moving =>
  Effect.gen(function* () {
    const runs = yield* RunStore
    const input = yield* newQuestion(second(3))
    const { change } = yield* runs.ask({ ...writeTo(run, second(3)), input })
    return change
  })

const stop = ({ execution: { accountId, id } }: Run): Moving =>
  ExecutionStore.use((executions) =>
    executions.stop({
      accountId,
      id,
      to: "cancelled",
      reason: "enough",
      at: second(4),
      audit: auditBy(jana, executionStopped)
    })
  )

const moveUp = ({ execution: { accountId, id } }: Run): Moving =>
  ExecutionStore.use((executions) =>
    executions.reschedule({ accountId, id, at: second(4), change: { priority: 7 } })
  )

const release = ({ execution: { accountId, id } }: Run): Moving =>
  ExecutionStore.use((executions) => executions.release({ accountId, id, at: second(4) }))

const kinds: ReadonlyArray<Kind> = [
  { name: "a start", is: "claimed", move: start },
  { name: "a start that is told", is: "claimed", fields: { callbackUrl }, move: start },
  { name: "a result", move: complete },
  { name: "a failure", move: fail },
  { name: "a callback", fields: { callbackUrl }, move: complete },
  { name: "a callback that begins at once", fields: { callbackUrl }, hasInlet: true, move: complete },
  { name: "endpoints that listen", hasEndpoint: true, move: complete },
  { name: "a seat that is left", fields: { concurrency }, move: complete },
  { name: "another attempt", fields: { maxAttempts: 2 }, move: tryAgain },
  { name: "another attempt for a key", fields: { concurrency, maxAttempts: 2 }, move: tryAgain },
  { name: "work given back", is: "claimed", move: giveBack },
  { name: "a question", move: ask },
  { name: "a stop of what is ready", is: "waiting", move: stop },
  { name: "a stop of what is deferred", is: "waiting", fields: { scheduledAt: second(99) }, move: stop },
  { name: "a stop of what waits for a seat", is: "waiting", fields: { concurrency }, move: stop },
  { name: "a stop of what is held", is: "waiting", fields: { status: "pending" }, move: stop },
  {
    name: "a stop of what is held for a key",
    is: "waiting",
    fields: { concurrency, status: "pending" },
    move: stop
  },
  { name: "a new place in the queue", is: "waiting", move: moveUp },
  { name: "a new place for a key", is: "waiting", fields: { concurrency }, move: moveUp },
  { name: "a release", is: "waiting", fields: { status: "pending" }, move: release },
  {
    name: "all of it",
    fields: { callbackUrl, concurrency },
    hasInlet: true,
    hasEndpoint: true,
    move: complete
  }
]

/** An execution of each kind, as far as it has come before its move. */
const makeRuns = Effect.fnUntraced(function* (tenant: Tenant, chosen: ReadonlyArray<Kind>) {
  const runs = yield* RunStore
  const sweeps = yield* SweepStore
  const work = chosen.filter(({ is }) => is !== "waiting")
  const ids = new Map<Kind, Array<ExecutionId>>()
  const make = Effect.fnUntraced(function* (kind: Kind) {
    const { id } = yield* makeExecution(tenant, kind.fields)
    ids.set(kind, [...(ids.get(kind) ?? []), id])
  })
  yield* Effect.forEach(work, make)
  yield* sweeps.giveSeats({ at: second(1), limit: plenty })
  yield* claimUpTo(yield* makeSession(tenant), { limit: work.length, at: second(1) })
  yield* Effect.forEach(chosen, (kind) => (kind.is === "waiting" ? make(kind) : Effect.void))
  return yield* Effect.forEach(chosen, (kind) =>
    Effect.gen(function* () {
      const id = ids.get(kind)?.pop() ?? (yield* Effect.die("There are more of a kind than were made"))
      const run = yield* runs.get({ accountId: tenant.accountId, id })
      const started =
        kind.is === undefined ? yield* runs.start({ ...writeTo(run, second(2)), lease }) : { run }
      return { kind, run: started.run }
    })
  )
})

/** Moves one of each of these kinds at once, and answers how many have moved. */
const moveAll = Effect.fnUntraced(function* (chosen: ReadonlyArray<Kind>) {
  const tenant = yield* makeTenant({ capacity: 100 })
  if (chosen.some(({ hasEndpoint }) => hasEndpoint)) yield* makeEndpoint(tenant.accountId)
  const made = yield* makeRuns(tenant, chosen)
  if (chosen.some(({ hasInlet }) => hasInlet)) yield* makeInlet(tenant, { places: chosen.length })
  const changes = yield* Effect.forEach(made, ({ kind, run }) => kind.move(run), { concurrency: "unbounded" })
  return changes.filter(({ changed }) => changed).length
}, Effect.scoped)

describe("The body of store_moves", () => {
  it.layer(stores)((it) => {
    it.effect.each(kinds)("takes $name by itself", (kind) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* moveAll([kind]), 1)
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("takes two of each kind at once, whatever others have", () =>
      Effect.gen(function* () {
        for (const kind of kinds) {
          const chosen = [...kinds.slice(2, 3), kind, kind]
          assert.strictEqual(yield* moveAll(chosen), 3, kind.name)
        }
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("takes all that is usual at once, and all kinds", () =>
      Effect.gen(function* () {
        const usual = kinds.slice(0, 7)

        const moved = [yield* moveAll(usual), yield* moveAll(kinds)]

        assert.deepStrictEqual(moved, [usual.length, kinds.length])
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )
  })
})

/**
 * Random sequences of verbs on both stores, by one clock: every answer, and in the end all that a reader can see, is the
 * same. `RUNHOOK_AGREEMENT=2000` plays as many sequences in place of ten.
 */
import { assert, it } from "@effect/vitest"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { anyDelivery } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { anyExecution, type Stores } from "@runhook/store-testing/Fixtures"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TestDatabase from "../TestDatabase.ts"
import { makeWriter } from "./Plain.ts"
import { makeSide, type Side } from "./Side.ts"
import { Step } from "./Step.ts"
import { verbs } from "./Verbs.ts"

/** Of its own for each store. While the clock of the test stands still, ids rise in the order in which they are made. */
const layerIds = Layer.fresh(SecureRandom.layerWebCrypto)

class BothStores extends Context.Service<
  BothStores,
  { readonly memory: Context.Context<Stores>; readonly postgres: Context.Context<Stores> }
>()("@runhook/store-pg/test/agreement/BothStores") {
  static readonly layer = Layer.effect(
    BothStores,
    Effect.all({
      memory: Layer.build(Layer.provideMerge(MemoryStore.layer, layerIds)),
      postgres: Layer.build(
        PgStore.layerStores.pipe(
          Layer.provide(Layer.succeed(StoreClock, "caller")),
          Layer.provideMerge(Layer.merge(TestDatabase.layerMigrated, layerIds))
        )
      )
    })
  )
}

/** All that readers see of a side. */
const seen = Effect.fnUntraced(function* ({ executions, tenants: [{ accountId }] }: Side) {
  const page = { after: null, limit: 100 }
  const store = yield* ExecutionStore
  const history = yield* HistoryStore
  const runs = yield* RunStore
  const deliveries = yield* DeliveryStore
  return {
    executions: yield* Effect.forEach(executions, ({ id }) =>
      Effect.all({
        execution: Effect.result(store.get(accountId, id)),
        inputs: Effect.result(store.inputs(accountId, id)),
        events: Effect.result(history.events({ accountId, id, after: 0, limit: 100 }))
      })
    ),
    list: (yield* store.list(accountId, anyExecution, page)).items.map(({ id }) => id),
    sessions: yield* runs.listSessions({ accountId, agentId: null }, page),
    deliveries: yield* Effect.flatMap(deliveries.list(accountId, anyDelivery, page), ({ items }) =>
      Effect.forEach(items, ({ id }) => Effect.orDie(deliveries.get(accountId, id)))
    ),
    dead: yield* deliveries.deadLetters(accountId)
  }
})

const outcomeOf = <A, E>(result: Result.Result<A, E>) =>
  Result.match(result, { onSuccess: (answer) => ({ answer }), onFailure: (refusal) => ({ refusal }) })

/** What a store answers to each step, and what is seen at the end. */
const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, begin: number) {
  const write = makeWriter()
  const side = yield* makeSide(begin)
  write(side)
  const lines: Array<string> = []
  for (const step of steps) {
    side.seconds += step.wait
    const result = yield* Effect.result(verbs[step.verb](side, step))
    lines.push(`${step.verb} at ${side.seconds}: ${write(outcomeOf(result))}`)
  }
  lines.push(write(yield* seen(side)))
  return lines
})

const Sequence = Schema.Array(Step).check(Schema.isMinLength(40), Schema.isMaxLength(60))

/** Longer than a sequence may take. */
const daySeconds = 86_400
let sequences = 0

it.layer(BothStores.layer)("the store in memory and that in PostgreSQL", (it) => {
  it.effect.prop(
    "answer sequences of verbs alike, and show the same of them",
    [Sequence],
    Effect.fnUntraced(function* ([steps]) {
      const { memory, postgres } = yield* BothStores
      const begin = ++sequences * daySeconds
      const expected = yield* Effect.provideContext(play(steps, begin), memory)
      const found = yield* Effect.provideContext(play(steps, begin), postgres)

      const differs = expected.findIndex((line, index) => line !== found[index])
      assert.strictEqual(
        found[differs],
        expected[differs],
        `Step ${differs} of ${JSON.stringify(steps.slice(0, differs + 1))}`
      )
    }),
    { arbitrary: { runs: Number(process.env["RUNHOOK_AGREEMENT"] ?? 10) }, timeout: 3_600_000 }
  )
})

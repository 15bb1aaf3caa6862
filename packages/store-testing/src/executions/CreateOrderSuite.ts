/** How every store decides creates of one request: as if each was made after the one before it. */
import { assert } from "@effect/vitest"
import { replacedReason } from "@runhook/core/runs/seats/Concurrency"
import type { Execution } from "@runhook/core/executions/Execution"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { createInOrder, isRefusable } from "@runhook/core/executions/create/InOrder"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import { makeTenant, newExecution, plenty, second, type Stores } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Item = Schema.Struct({
  key: between(0, 3),
  idempotencyKey: Schema.Literals(["none", "none", "one", "two"]),
  body: between(0, 1),
  concurrency: Schema.Struct({
    key: Schema.Literals(["none", "red", "blue"]),
    limit: between(1, 3),
    policy: Schema.Literals(["queue", "reject", "cancel_running"])
  }),
  priority: between(0, 1),
  when: Schema.Literals(["now", "now", "held", "later"])
})

const Batch = Schema.Struct({
  items: Schema.Array(Item).check(Schema.isMinLength(2), Schema.isMaxLength(14)),
  accountMaxLive: between(1, 14),
  keyMaxLive: between(1, 8)
})

type Batch = typeof Batch.Type

type Item = typeof Item.Type

/** An account of which two keys create, one of them with a limit of its own. */
const makeCreator = Effect.fnUntraced(function* ({ accountMaxLive, keyMaxLive }: Batch) {
  const store = yield* ExecutionStore
  const tenant = yield* makeTenant()
  const other = { ...tenant, apiKeyId: (yield* makeApiKey(tenant.accountId)).id }
  const places = new Map<string, number>()

  /** What a create answers, by the places of executions among the items. */
  const create = ({ execution, item }: { readonly execution: Execution; readonly item: Item }) =>
    Effect.map(
      Effect.result(
        store.create({
          execution,
          accountMaxLive,
          keyMaxLive: item.key === 0 ? keyMaxLive : plenty,
          idempotency:
            item.idempotencyKey === "none"
              ? null
              : { key: item.idempotencyKey, fingerprint: `of ${item.body}`, expiresAt: second(1_000) }
        })
      ),
      Result.match({
        onSuccess: ({ change, isDuplicate }) => ({ isDuplicate, at: places.get(change.run.execution.id) }),
        onFailure: (error) =>
          error._tag === "IdempotencyConflict"
            ? { conflict: places.get(error.executionId) }
            : { refused: error.message }
      })
    )

  const prepare = Effect.fnUntraced(function* (item: Item, place: number) {
    const { concurrency, when } = item
    const { key } = concurrency
    const execution = yield* newExecution(item.key === 0 ? tenant : other, {
      createdAt: second(1 + place / 1_000),
      priority: item.priority,
      status: when === "held" ? "pending" : "queued",
      scheduledAt: when === "later" ? second(900) : null,
      concurrency: key === "none" ? null : { ...concurrency, key }
    })
    places.set(execution.id, place)
    return { isRefusable: isRefusable(execution), create: create({ execution, item }), execution }
  })
  return { prepare, tenant }
})

/** What each has become once all seats are given, and what was in the way is cancelled. */
const settled = Effect.fnUntraced(function* (executions: ReadonlyArray<Execution>) {
  const store = yield* ExecutionStore
  const sweeps = yield* SweepStore
  for (let at = 10; ; at += 5) {
    const { inTheWay, keys } = yield* sweeps.giveSeats({ at: second(at), limit: 100 })
    for (const ref of inTheWay) {
      yield* store.stop({ ...ref, to: "cancelled", reason: replacedReason, at: second(at) })
    }
    if (keys === 0) break
  }
  return yield* Effect.forEach(executions, ({ accountId, id }) =>
    Effect.match(store.get(accountId, id), {
      onSuccess: ({ status }) => status,
      onFailure: () => "not there" as const
    })
  )
})

/** What comes of a batch: what each create answers, and what each has become. */
const outcomesOf = Effect.fnUntraced(function* (batch: Batch, isTogether: boolean) {
  const { prepare } = yield* makeCreator(batch)
  const creates = yield* Effect.forEach(batch.items, prepare)
  const answers = isTogether
    ? yield* createInOrder(creates)
    : yield* Effect.forEach(creates, ({ create }) => create)
  return { answers, statuses: yield* settled(creates.map(({ execution }) => execution)) }
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ExecutionStore creates in order", { layer, name }, (it) => {
    it.effect.prop(
      "decides the creates of a request as if each was made after the one before it",
      [Batch],
      Effect.fnUntraced(function* ([batch]) {
        const together = yield* outcomesOf(batch, true)
        const alone = yield* outcomesOf(batch, false)

        assert.deepStrictEqual(together, alone)
      }),
      { arbitrary: { runs: 12 } }
    )

    it.test("gives the seats of a key to the first of ten equal requests", function* () {
      const item = (limit: number): Item => ({
        key: 0,
        idempotencyKey: "none",
        body: 0,
        concurrency: { key: "red", limit, policy: "reject" },
        priority: 0,
        when: "now"
      })
      const batchOf = (limit: number): Batch => ({
        accountMaxLive: 100,
        keyMaxLive: 100,
        items: Array.from({ length: 10 }, () => item(limit))
      })

      const [one, three] = yield* Effect.forEach([1, 3], (limit) => outcomesOf(batchOf(limit), true))

      const made = (outcomes: typeof one) =>
        outcomes?.answers.flatMap((answer) => ("at" in answer ? [answer.at] : []))
      assert.deepStrictEqual([made(one), made(three)], [[0], [0, 1, 2]])
    })

    it.test("does not count what one key is refused against the limit of its account", function* () {
      const item = (key: number): Item => ({
        key,
        idempotencyKey: "none",
        body: 0,
        concurrency: { key: "none", limit: 1, policy: "queue" },
        priority: 0,
        when: "now"
      })

      const { answers } = yield* outcomesOf(
        { accountMaxLive: 3, keyMaxLive: 1, items: [0, 0, 0, 1, 1, 1].map(item) },
        true
      )

      const ofAccount = { refused: "This account has reached its limit of 3 unfinished executions" }
      const ofKey = { refused: "This key has reached its limit of 1 unfinished executions" }
      assert.deepStrictEqual(answers, [
        { isDuplicate: false, at: 0 },
        ofKey,
        ofKey,
        { isDuplicate: false, at: 3 },
        { isDuplicate: false, at: 4 },
        ofAccount
      ])
    })
  })

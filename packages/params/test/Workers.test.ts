import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "@runhook/core/shared/Ids"
import { type Json, type JsonObject, ReadableJson } from "@runhook/core/shared/json/Json"
import { ParamsValidator } from "@runhook/core/executions/params/ParamsValidator"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { layer, layerWith } from "../src/AjvParamsValidator.ts"
import { makePerform, type Work } from "../src/workers/SchemaWork.ts"
import { defaultOptions, make, type PoolOptions, type WorkerPool } from "../src/workers/WorkerPool.ts"

const forked = { startImmediately: true } as const

const [one, other] = [1, 2].map((n) => AccountId.make(`00000000-0000-7000-8000-00000000000${n}`))
if (one === undefined || other === undefined) throw new Error("There are two accounts")

/** Takes all steps that one value may have. */
const heavy: { readonly schema: JsonObject; readonly value: Json } = {
  schema: { allOf: Array.from({ length: 160 }, () => ({ uniqueItems: true })) },
  value: [Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`n${i}`, 1]))]
}

const workOf = ({ schema, value }: typeof heavy): Extract<Work, { readonly _tag: "Validate" }> => ({
  _tag: "Validate",
  key: JSON.stringify(schema),
  schema: JSON.stringify(schema),
  value: JSON.stringify(value)
})

const light = workOf({ schema: { type: "object" }, value: {} })
const lightDone = { _tag: "Valid", value: "{}" } as const

/** Its defaults take a gigabyte, of which each takes a little. */
const hungry = workOf({
  schema: { items: { properties: { each: { default: Array.from({ length: 1_000 }, () => ({})) } } } },
  value: Array.from({ length: 20_000 }, () => ({}))
})

const withPool = <A, E>(
  options: Partial<PoolOptions>,
  use: (pool: WorkerPool) => Effect.Effect<A, E, Scope.Scope>
) => Effect.scoped(Effect.flatMap(make({ ...defaultOptions, ...options }), use))

describe("The pool", () => {
  it.effect("ends what takes too long, and goes on", () =>
    withPool({ timeLimit: Duration.millis(1), threads: 1 }, (pool) =>
      Effect.gen(function* () {
        const ended = yield* pool.run(one, workOf(heavy))
        const next = yield* Effect.exit(pool.run(one, light))

        assert.deepStrictEqual(ended, { _tag: "Ended" })
        assert.isTrue(Exit.isSuccess(next))
      })
    )
  )

  it.effect("ends what takes too much memory, and goes on", () =>
    withPool({ heapMax: 32, threads: 1 }, (pool) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* pool.run(one, hungry), { _tag: "Ended" })
        assert.deepStrictEqual(yield* pool.run(one, light), lightDone)
      })
    )
  )

  it.effect("fails as a defect when a thread fails, and goes on", () =>
    withPool({ threads: 1 }, (pool) =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(pool.run(one, { _tag: "Check", schema: "no JSON" }))

        assert.isTrue(Exit.hasDies(exit))
        assert.deepStrictEqual(yield* pool.run(one, light), lightDone)
      })
    )
  )

  it.effect("gives accounts their turns, and never all threads to one", () =>
    withPool({}, (pool) =>
      Effect.gen(function* () {
        const order: Array<string> = []
        const run = (name: string, accountId: AccountId, work: Work) =>
          Effect.tap(pool.run(accountId, work), () => Effect.sync(() => order.push(name)))

        yield* Effect.all(
          [
            run("heavy", one, workOf(heavy)),
            run("heavy again", one, workOf(heavy)),
            run("light of the other", other, light)
          ],
          { concurrency: "unbounded" }
        )

        assert.deepStrictEqual(order, ["light of the other", "heavy", "heavy again"])
      })
    )
  )

  it.effect("refuses what is too much of one account, and nothing of another", () =>
    withPool({ threads: 1, waiting: { items: 2, size: 1_000_000 } }, (pool) =>
      Effect.gen(function* () {
        const own = yield* Effect.all(
          Array.from({ length: 4 }, () => Effect.forkChild(Effect.result(pool.run(one, light)), forked))
        )

        const done = yield* pool.run(other, light)

        assert.deepStrictEqual(done, lightDone)
        const ends = yield* Effect.forEach(own, Fiber.join)
        assert.deepStrictEqual(
          ends.map(({ _tag }) => _tag),
          ["Success", "Success", "Success", "Failure"]
        )
      })
    )
  )

  it.effect("forgets work that nobody waits for any more", () =>
    withPool({ threads: 1, waiting: { items: 1, size: 0 } }, (pool) =>
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(pool.run(one, light), forked)
        const waiting = yield* Effect.forkChild(pool.run(one, light), forked)
        yield* Fiber.interrupt(waiting)

        assert.deepStrictEqual(yield* pool.run(one, light), lightDone)
        yield* Fiber.join(first)
      })
    )
  )

  it.effect("ends its threads with its scope, and whoever waits for them", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const pool = yield* Scope.provide(make(defaultOptions), scope)
      yield* pool.run(one, light)
      const waiting = yield* Effect.forkChild(pool.run(one, workOf(heavy)), forked)

      yield* Scope.close(scope, Exit.void)

      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(waiting)))
    })
  )
})

/** How a value ends, wherever it is looked at. */
const endOf = Effect.fnUntraced(function* ({ schema, value }: typeof heavy) {
  const validator = yield* ParamsValidator
  return yield* validator.validate({ accountId: one, key: JSON.stringify(schema), schema, value }).pipe(
    Effect.map((filled) => ({ filled })),
    Effect.catchTag("InvalidParams", ({ issues }) => Effect.succeed({ issues }))
  )
})

const endOfThread = ({ schema, value }: typeof heavy) => {
  const done = makePerform()(workOf({ schema, value }))
  if (done._tag === "Valid") return { filled: JSON.parse(done.value) }
  return done._tag === "Refused" ? { issues: done.issues } : assert.fail(done._tag)
}

const schemas: ReadonlyArray<JsonObject> = [
  { properties: { a: { type: "string", default: "x" }, b: { default: [1] } }, required: ["c"] },
  { type: ["object", "array", "string"], items: { type: "number" }, uniqueItems: true, maxLength: 3 },
  { anyOf: [{ const: { a: 1 } }, { enum: [[], "a", null] }, { type: "number", minimum: 0 }] },
  { additionalProperties: { properties: { d: { default: {} } }, type: "object" } }
]

describe("AjvParamsValidator, about large schemas and values", () => {
  it.layer(layer)((it) => {
    /** The names of two validations in the order in which they end. Nothing but a thread lets the second pass the first. */
    const orderOf = Effect.fnUntraced(function* (first: typeof heavy) {
      const easy = { schema: { properties: { b: { default: 1 } } }, value: {} }
      // What is compiled is remembered, so that only the values are left.
      yield* endOf({ ...first, value: 1 })
      yield* endOf(easy)
      const order: Array<string> = []
      const noted = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) =>
        Effect.tap(effect, () => Effect.sync(() => order.push(name)))
      const [end] = yield* Effect.all([noted("first", endOf(first)), noted("light", endOf(easy))], {
        concurrency: "unbounded"
      })
      return { end, order }
    })

    it.effect("lets others go on meanwhile", () =>
      Effect.gen(function* () {
        const { end, order } = yield* orderOf(heavy)

        assert.deepStrictEqual(order, ["light", "first"])
        assert.deepInclude(end, {
          issues: [
            { path: "", keyword: "effort", message: "takes too many steps to be checked against its schema" }
          ]
        })
      })
    )

    it.effect("hands over a large value of a small schema", () =>
      Effect.gen(function* () {
        const value = Array.from({ length: 10_000 }, (_, i) => i)

        const { end, order } = yield* orderOf({ schema: { uniqueItems: true }, value })

        assert.deepStrictEqual(order, ["light", "first"])
        assert.deepStrictEqual(end, { filled: value })
      })
    )

    it.effect("hands over a small value of a small schema that takes many steps", () =>
      Effect.gen(function* () {
        const doubling = Array.from({ length: 14 }, (_, i) => {
          const next = { $ref: `#/$defs/d${i + 1}` }
          return [`d${i}`, { anyOf: [next, next] }]
        })
        const schema = {
          $ref: "#/$defs/d0",
          $defs: { ...Object.fromEntries(doubling), d14: { required: ["a"] } }
        }

        const { end, order } = yield* orderOf({ schema, value: {} })

        assert.deepStrictEqual(order, ["light", "first"])
        assert.include(JSON.stringify(end), "/a")
      })
    )

    it.effect("fills in the defaults of a large schema", () =>
      Effect.gen(function* () {
        const properties = Object.fromEntries(
          Array.from({ length: 300 }, (_, i) => [`p${i}`, { default: i }])
        )
        const validator = yield* ParamsValidator
        yield* validator.checkSchema({ accountId: one, schema: { properties } })

        const end = yield* endOf({ schema: { properties }, value: { p0: "given" } })

        assert.deepInclude(end, {
          filled: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, i === 0 ? "given" : i]))
        })
      })
    )

    it.effect("refuses a large schema that cannot be used as it refuses a small one", () =>
      Effect.gen(function* () {
        const validator = yield* ParamsValidator
        const check = (title: string) =>
          Effect.flip(validator.checkSchema({ accountId: one, schema: { title, type: "word" } }))

        assert.deepStrictEqual(yield* check("a".repeat(20_000)), yield* check(""))
      })
    )

    it.effect.prop(
      "answers the same in a thread and beside it",
      [ReadableJson, Schema.Literals([0, 1, 2, 3])],
      ([any, which]) =>
        Effect.gen(function* () {
          const value: Json = JSON.parse(JSON.stringify(any), (name, member) =>
            name in Object.prototype ? undefined : member
          )
          const schema = schemas[which] ?? {}

          assert.deepStrictEqual(yield* endOf({ schema, value }), endOfThread({ schema, value }))
        })
    )
  })

  it.effect("says so of a value that takes too long", () =>
    Effect.gen(function* () {
      const end = yield* endOf(heavy)

      assert.deepInclude(end, {
        issues: [
          { path: "", keyword: "effort", message: "takes too many steps to be checked against its schema" }
        ]
      })
    }).pipe(Effect.provide(layerWith({ timeLimit: Duration.millis(1) })))
  )
})

/** Validates by ajv: what is small at once, what may cost more in the pool it is given. */
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import {
  type GivenSchema,
  type GivenValue,
  InvalidParams,
  InvalidSchema,
  ParamsValidator
} from "@runhook/core/executions/params/ParamsValidator"
import { BoundedMap } from "@runhook/core/engine/BoundedMap"
import * as Effect from "effect/Effect"
import type { CompiledSchema, StepLimits } from "./CompiledSchema.ts"
import { exhausted, shortened } from "./Issues.ts"
import { breachOf } from "./JsonTree.ts"
import * as SchemaDocument from "./SchemaDocument.ts"
import { secretPaths } from "./SecretPaths.ts"
import { isSmall } from "./SmallSchema.ts"
import type { WorkerPool } from "./workers/WorkerPool.ts"

/** The most levels of objects and arrays in a value. */
export const valueDepthMax = 64

/** Compiled schemas kept in memory, the most recently used ones. */
export const compiledSchemasMax = 500

/** The longest value that is checked on the event loop, in UTF-16 code units of its JSON. */
const inlineLengthMax = 32_768

/**
 * The most work on the event loop for one value: some milliseconds at worst.
 * Anything beyond goes to a thread.
 */
const inlineLimits: StepLimits = { verdict: 20_000, report: 5_000 }

const acceptsNoObject = new InvalidSchema({
  issues: [{ path: "", keyword: "type", message: "accepts no object, and the values are objects" }]
})

const uncompilable = (key: string) => new Error(`The schema ${key} was not checked before it was used`)

export const make = (pool: WorkerPool) => {
  /** Schemas that were checked and may be used next, such as that of a question with a default. */
  const checked = new WeakMap<JsonObject, CompiledSchema>()

  /** By the keys of their schemas; null: too large to be compiled on the event loop. */
  const compiledSchemas = new BoundedMap<string, CompiledSchema | null>(compiledSchemasMax)

  const compile = (schema: JsonObject): CompiledSchema | null | undefined =>
    isSmall(JSON.stringify(schema)) ? (checked.get(schema) ?? SchemaDocument.compile(schema)) : null

  /** Undefined if the schema is none. */
  const compiledOf = (key: string, schema: JsonObject): CompiledSchema | null | undefined => {
    const known = compiledSchemas.get(key)
    const compiled = known === undefined ? compile(schema) : known
    // Each time, so that what was used longest ago is dropped first.
    if (compiled !== undefined) compiledSchemas.set(key, compiled)
    return compiled
  }

  const checkApart = Effect.fnUntraced(function* ({ accountId }: GivenSchema, text: string) {
    const done = yield* pool.run(accountId, { _tag: "Check", schema: text })
    switch (done._tag) {
      case "Checked":
        return done
      case "Refused":
        return yield* new InvalidSchema({ issues: done.issues })
      default:
        return yield* new InvalidSchema({ issues: [SchemaDocument.tooIntricate] })
    }
  })

  const check = Effect.fnUntraced(function* (given: GivenSchema) {
    const text = yield* Effect.fromResult(SchemaDocument.measure(given.schema))
    if (!isSmall(text)) return yield* checkApart(given, text)
    const found = yield* Effect.fromResult(SchemaDocument.check(given.schema))
    checked.set(given.schema, found.compiled)
    return found
  })

  const validateApart = Effect.fnUntraced(function* (
    { accountId, key, what, schema }: GivenValue<Json>,
    value: string
  ) {
    const work = { _tag: "Validate", key, schema: JSON.stringify(schema), value } as const
    const done = yield* pool.run(accountId, work)
    switch (done._tag) {
      case "Valid":
        return done.value
      case "Refused":
        return yield* new InvalidParams({ issues: done.issues, what })
      case "Ended":
        return yield* new InvalidParams({ issues: [exhausted], what })
      default:
        return yield* Effect.die(uncompilable(key))
    }
  })

  const validate = Effect.fnUntraced(function* <A extends Json>(given: GivenValue<A>) {
    const { what } = given
    const breach = breachOf(given.value, valueDepthMax)
    if (breach !== undefined) return yield* new InvalidParams({ issues: [shortened(breach)], what })

    const text = given.text ?? JSON.stringify(given.value)
    const compiled = text.length <= inlineLengthMax ? compiledOf(given.key, given.schema) : null
    if (compiled === undefined) return yield* Effect.die(uncompilable(given.key))
    if (compiled !== null) {
      // A copy by its text: `structuredClone` of a small value takes ten times as long.
      const filled: A = JSON.parse(text)
      const issues = compiled(filled, inlineLimits)
      if (issues?.length === 0) return filled
      if (issues !== undefined) return yield* new InvalidParams({ issues, what })
    }
    const filled: A = JSON.parse(yield* validateApart(given, text))
    return filled
  })

  const secretive = new BoundedMap<string, ReturnType<typeof secretPaths>>(compiledSchemasMax)

  return ParamsValidator.of({
    secretPaths: ({ key, schema, value }) => {
      const known = secretive.get(key)
      const find = known === undefined ? secretPaths(schema) : known
      if (known === undefined) secretive.set(key, find)
      return find === null ? [] : find(value)
    },

    checkSchema: Effect.fn("ParamsValidator.checkSchema")(function* (given) {
      const { acceptsObjects, warnings } = yield* check(given)
      if (!acceptsObjects) return yield* acceptsNoObject
      return warnings
    }),

    checkValueSchema: Effect.fn("ParamsValidator.checkValueSchema")(function* (given) {
      yield* check(given)
    }),

    validate
  })
}

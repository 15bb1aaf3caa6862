/** Validates by ajv: what is small at once, what may cost more in the pool it is given. */
import type { Json, JsonObject } from "@runhook/core/domain/json/Json"
import {
  type GivenSchema,
  InvalidParams,
  InvalidSchema,
  ParamsValidator
} from "@runhook/core/ports/ParamsValidator"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import type { CompiledSchema, StepLimits } from "./CompiledSchema.ts"
import { exhausted, shortened } from "./Issues.ts"
import { breachOf } from "./JsonTree.ts"
import * as SchemaDocument from "./SchemaDocument.ts"
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

/** A schema known only by its key. */
class KeyedSchema implements Equal.Equal {
  readonly key: string
  readonly schema: JsonObject

  constructor(key: string, schema: JsonObject) {
    this.key = key
    this.schema = schema
  }
  [Equal.symbol](that: unknown): boolean {
    return that instanceof KeyedSchema && that.key === this.key
  }
  [Hash.symbol](): number {
    return Hash.string(this.key)
  }
}

const acceptsNoObject = new InvalidSchema({
  issues: [{ path: "", keyword: "type", message: "accepts no object, and the values are objects" }]
})

const uncompilable = (key: string) => new Error(`The schema ${key} was not checked before it was used`)

export const make = Effect.fnUntraced(function* (pool: WorkerPool) {
  /** Schemas that were checked and may be used next, such as that of a question with a default. */
  const checked = new WeakMap<JsonObject, CompiledSchema>()

  /** Undefined if the schema is too large to be compiled on the event loop. */
  const compile = ({ key, schema }: KeyedSchema): Effect.Effect<CompiledSchema | undefined> =>
    Effect.suspend(() => {
      if (!isSmall(JSON.stringify(schema))) return Effect.undefined
      const compiled = checked.get(schema) ?? SchemaDocument.compile(schema)
      return compiled === undefined ? Effect.die(uncompilable(key)) : Effect.succeed(compiled)
    })
  const compiledSchemas = yield* Cache.make({ capacity: compiledSchemasMax, lookup: compile })

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
    { accountId, key, schema }: GivenSchema & { readonly key: string },
    value: string
  ) {
    const work = { _tag: "Validate", key, schema: JSON.stringify(schema), value } as const
    const done = yield* pool.run(accountId, work)
    switch (done._tag) {
      case "Valid":
        return done.value
      case "Refused":
        return yield* new InvalidParams({ issues: done.issues })
      case "Ended":
        return yield* new InvalidParams({ issues: [exhausted] })
      default:
        return yield* Effect.die(uncompilable(key))
    }
  })

  const validate = Effect.fnUntraced(function* <A extends Json>(
    given: GivenSchema & { readonly key: string; readonly value: A; readonly text?: string | undefined }
  ) {
    const breach = breachOf(given.value, valueDepthMax)
    if (breach !== undefined) return yield* new InvalidParams({ issues: [shortened(breach)] })

    const text = given.text ?? JSON.stringify(given.value)
    const compiled =
      text.length <= inlineLengthMax
        ? yield* Cache.get(compiledSchemas, new KeyedSchema(given.key, given.schema))
        : undefined
    if (compiled !== undefined) {
      // A copy by its text: `structuredClone` of a small value takes ten times as long.
      const filled: A = JSON.parse(text)
      const issues = compiled(filled, inlineLimits)
      if (issues?.length === 0) return filled
      if (issues !== undefined) return yield* new InvalidParams({ issues })
    }
    const filled: A = JSON.parse(yield* validateApart(given, text))
    return filled
  })

  return ParamsValidator.of({
    checkSchema: Effect.fn("ParamsValidator.checkSchema")(function* (given) {
      const { acceptsObjects } = yield* check(given)
      if (!acceptsObjects) return yield* acceptsNoObject
    }),

    checkValueSchema: Effect.fn("ParamsValidator.checkValueSchema")(function* (given) {
      yield* check(given)
    }),

    validate
  })
})

/** JSON Schema drafts 2020-12 and 07, by ajv, with bounds on all that a schema or a value can cost. */
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Layer from "effect/Layer"
import type { Json, JsonObject } from "@runhook/core/domain/Json"
import { InvalidParams, InvalidSchema, ParamsValidator } from "@runhook/core/ports/ParamsValidator"
import { type CompiledSchema, fullLimits } from "./CompiledSchema.ts"
import { exhausted, shortened } from "./Issues.ts"
import { breachOf } from "./JsonTree.ts"
import * as SchemaDocument from "./SchemaDocument.ts"

/** Most levels of objects and arrays in a value. */
export const valueDepthMax = 64

/** Compiled schemas kept in memory, the last used ones. */
export const compiledSchemasMax = 500

/** A schema known by its key alone. */
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

const compile = ({ key, schema }: KeyedSchema): Effect.Effect<CompiledSchema> =>
  Effect.suspend(() => {
    const compiled = SchemaDocument.compile(schema)
    return compiled === undefined
      ? Effect.die(new Error(`The schema ${key} was not checked before it was used`))
      : Effect.succeed(compiled)
  })

const checkValueSchema = Effect.fn("ParamsValidator.checkValueSchema")(function* (schema: JsonObject) {
  yield* Effect.fromResult(SchemaDocument.check(schema))
})

const checkSchema = Effect.fn("ParamsValidator.checkSchema")(function* (schema: JsonObject) {
  const { acceptsObjects } = yield* Effect.fromResult(SchemaDocument.check(schema))
  if (!acceptsObjects) {
    return yield* new InvalidSchema({
      issues: [{ path: "", keyword: "type", message: "accepts no object, and the values are objects" }]
    })
  }
})

const make = Effect.gen(function* () {
  const compiledSchemas = yield* Cache.make({ capacity: compiledSchemasMax, lookup: compile })

  const validate = Effect.fnUntraced(function* <A extends Json>(options: {
    readonly key: string
    readonly schema: JsonObject
    readonly value: A
  }) {
    const breach = breachOf(options.value, valueDepthMax)
    if (breach !== undefined) return yield* new InvalidParams({ issues: [shortened(breach)] })

    const compiled = yield* Cache.get(compiledSchemas, new KeyedSchema(options.key, options.schema))
    // A copy by its text: `structuredClone` of a small value takes ten times as long.
    const filled: A = JSON.parse(JSON.stringify(options.value))
    const issues = compiled(filled, fullLimits) ?? [exhausted]
    if (issues.length > 0) return yield* new InvalidParams({ issues })
    return filled
  })

  return ParamsValidator.of({ checkSchema, checkValueSchema, validate })
})

export const layer: Layer.Layer<ParamsValidator> = Layer.effect(ParamsValidator, make)

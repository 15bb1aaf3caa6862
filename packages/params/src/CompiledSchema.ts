/** A checked document as a function that says what is wrong with a value. */
import { type ErrorObject, type KeywordDefinition, _ } from "ajv"
import * as Result from "effect/Result"
import type { Json, JsonObject } from "@runhook/core/domain/Json"
import type { SchemaIssue } from "@runhook/core/ports/ParamsValidator"
import type { Dialect } from "./Dialect.ts"
import { Effort } from "./Effort.ts"
import { formatsFor } from "./Formats.ts"
import { issuesOf } from "./Issues.ts"
import { isArray, isObject } from "./JsonTree.ts"
import * as LinearPattern from "./LinearPattern.ts"
import { stepKeyword } from "./ServedSchema.ts"

/** Most steps of deciding whether a value satisfies a schema: some seconds at the very worst. */
const verdictStepsMax = 2_000_000

/** Most steps of listing everything that is wrong. Each may leave an error in memory. */
const reportStepsMax = 50_000

/** Most schemas ajv may turn into code for one document; one is compiled anew for each reference into its inside. */
const compiledMax = 10_000

/** Fills the defaults into the value, in place, and answers what is wrong with it. */
export type CompiledSchema = (value: Json) => ReadonlyArray<SchemaIssue>

const exhausted: SchemaIssue = {
  path: "",
  keyword: "effort",
  message: "takes too many steps to be checked against its schema"
}

/** JSON with the properties of every object in order, so that equal values give equal texts. */
const canonical = (json: Json): string =>
  JSON.stringify(json, (_name, value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value
  )

/** Ajv's own compares every pair of items. */
const uniqueItems: KeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  validate: (unique: boolean, items: ReadonlyArray<Json>) =>
    !unique || new Set(items.map(canonical)).size === items.length
}

/** Counts each visit of a value by a schema as the sizes of both. */
const steps = (effort: Effort): KeywordDefinition => {
  const visit = (value: Json, size: number) => {
    effort.spend(size + (isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0))
  }
  let compiled = 0
  return {
    keyword: stepKeyword,
    schemaType: "number",
    // The first keyword of all, so that no schema applies another one uncounted.
    before: "$ref",
    code: ({ gen, data, schema }) => {
      compiled += 1
      if (compiled > compiledMax) throw new RangeError("The schema grows too large")
      gen.code(_`${gen.scopeValue("func", { ref: visit })}(${data}, ${schema})`)
    }
  }
}

const regExpEngine = (effort: Effort) =>
  Object.assign(
    (pattern: string) => ({
      ...LinearPattern.spending(Result.getOrThrow(LinearPattern.compile(pattern)), effort),
      toString: () => pattern
    }),
    { code: "linear" }
  )

/**
 * Compiles one way of running a schema. Each schema has an ajv of its own, since an instance keeps
 * everything it ever compiled.
 */
const compileRun = (
  dialect: Dialect,
  served: JsonObject,
  options: { readonly errors: "first" | "all"; readonly stepsMax: number }
) => {
  const effort = new Effort()
  const ajv = new dialect.Ajv({
    allErrors: options.errors === "all",
    code: { regExp: regExpEngine(effort) },
    formats: formatsFor(effort),
    // A function for each reference keeps the code as small as the schema.
    inlineRefs: false,
    logger: false,
    meta: false,
    // So that 19.99 is a multiple of 0.01.
    multipleOfPrecision: 8,
    ownProperties: true,
    strict: false,
    useDefaults: true,
    validateSchema: false
  })
  ajv.removeKeyword("uniqueItems").addKeyword(uniqueItems).addKeyword(steps(effort))
  const validate = ajv.compile(served)
  return (value: Json): ReadonlyArray<ErrorObject> => {
    effort.start(options.stepsMax)
    return validate(value) ? [] : (validate.errors ?? [])
  }
}

/** Runs until the work is done or, undefined, a budget or the stack is used up. */
const bounded = <A>(run: () => A): A | undefined => {
  try {
    return run()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * Compiles a served document, or answers undefined when that takes too much.
 *
 * Deciding and reporting are two runs, since only a run that stops at the first error is cheap on
 * any value. When the report takes too much, the first error is all that is told.
 */
export const compile = (dialect: Dialect, served: JsonObject): CompiledSchema | undefined =>
  bounded(() => {
    const verdict = compileRun(dialect, served, { errors: "first", stepsMax: verdictStepsMax })
    const report = compileRun(dialect, served, { errors: "all", stepsMax: reportStepsMax })
    return (value) => {
      const first = bounded(() => verdict(value))
      if (first === undefined) return [exhausted]
      if (first.length === 0) return []
      return issuesOf(bounded(() => report(value)) ?? first)
    }
  })

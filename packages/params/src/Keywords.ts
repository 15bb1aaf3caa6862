/**
 * The keywords that we implement in place of ajv: they spend steps for what they
 * walk, and report no more than is shown.
 */
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import { issuesMax } from "@runhook/core/executions/params/ParamsValidator"
import {
  type ErrorObject,
  type KeywordCxt,
  type KeywordDefinition,
  Name,
  type SchemaValidateFunction,
  _
} from "ajv"
import { isArray, isObject } from "./JsonTree.ts"
import type { SchemaCost } from "./SchemaCost.ts"
import { dependentKeyword, equalKeyword, type Step, stepKeyword } from "./ServedSchema.ts"
import type { StepBudget } from "./StepBudget.ts"

/**
 * The most schemas that ajv may turn into code for one document; a schema is
 * compiled again for each reference into it.
 */
const compiledMax = 3_000

/** Characters that are read per step. */
const charactersRead = 100

/** An error of a keyword in ajv's form. Ajv adds where in the value it is. */
type Found = Pick<ErrorObject, "keyword" | "params" | "message">

/** A check that leaves its errors where ajv looks for them. */
const reporting = <Given, Value>(
  find: (given: Given, value: Value) => ReadonlyArray<Found>
): SchemaValidateFunction => {
  const check: SchemaValidateFunction = (given: Given, value: Value) => {
    const found = find(given, value)
    if (found.length > 0) check.errors = [...found]
    return found.length === 0
  }
  return check
}

const canonicalObject = (json: JsonObject, budget: StepBudget): string => {
  const names = Object.keys(json)
  // For sorting them.
  budget.spend(names.length)
  return names
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonical(json[name] ?? null, budget)}`)
    .join()
}

/** JSON with the properties of every object in order, so that equal values have equal texts. */
const canonical = (json: Json, budget: StepBudget): string => {
  const text = isArray(json)
    ? `[${json.map((item) => canonical(item, budget)).join()}]`
    : isObject(json)
      ? `{${canonicalObject(json, budget)}}`
      : JSON.stringify(json)
  // The text of inner values is copied again at every level.
  budget.spend(1 + text.length / charactersRead)
  return text
}

/** Ajv's version compares every pair of items. */
const uniqueItems = (budget: StepBudget): KeywordDefinition => ({
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  validate: (unique: boolean, items: ReadonlyArray<Json>) => {
    if (!unique) return true
    const seen = new Set<string>()
    return items.every((item) => {
      const text = canonical(item, budget)
      return !seen.has(text) && seen.add(text)
    })
  }
})

const equals = (one: Json, other: Json, budget: StepBudget): boolean => {
  budget.spend(1)
  if (one === other) return true
  if (isArray(one)) {
    return (
      isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => equals(item, other[index] ?? null, budget))
    )
  }
  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  const others = Object.keys(other)
  budget.spend(names.length + others.length)
  return (
    others.length === names.length &&
    names.every(
      (name) => Object.hasOwn(other, name) && equals(one[name] ?? null, other[name] ?? null, budget)
    )
  )
}

/** What `const` or `enum` allows, if that contains arrays or objects. */
export interface Allowed {
  readonly keyword: "const" | "enum"
  readonly values: ReadonlyArray<Json>
}

const equal = (budget: StepBudget): KeywordDefinition => ({
  keyword: equalKeyword,
  schemaType: "object",
  errors: true,
  validate: reporting(({ keyword, values }: Allowed, value: Json) =>
    values.some((allowed) => equals(allowed, value, budget))
      ? []
      : [{ keyword, params: { allowedValue: values[0], allowedValues: values } }]
  )
})

/** The names that are required when another one is present. */
export interface Dependent {
  readonly keyword: string
  readonly names: { readonly [property: string]: ReadonlyArray<string> }
}

/** Ajv's version writes every list, and every message, into the code, once for each name. */
const dependent = (budget: StepBudget): KeywordDefinition => ({
  keyword: dependentKeyword,
  type: "object",
  schemaType: "object",
  errors: true,
  validate: reporting(({ keyword, names }: Dependent, value: JsonObject) => {
    const found: Array<Found> = []
    for (const [property, required] of Object.entries(names)) {
      budget.spend(1)
      if (!Object.hasOwn(value, property)) continue
      budget.spend(required.length)
      for (const missingProperty of required) {
        if (Object.hasOwn(value, missingProperty)) continue
        found.push({ keyword, params: { property, missingProperty } })
        if (found.length === issuesMax) return found
      }
    }
    return found
  })
})

/**
 * Called at each visit. `errors` are those found so far: null if there are none
 * yet, undefined where a schema is only tried, since its errors may be dropped.
 */
export type Visit = (
  value: Json,
  cost: SchemaCost,
  errors: ReadonlyArray<ErrorObject> | null | undefined
) => void

/** Counts each visit of a value by a schema, before anything else. */
const steps = (visit: Visit): KeywordDefinition => {
  let compiled = 0
  return {
    keyword: stepKeyword,
    schemaType: "object",
    // The first keyword of all, so that no schema applies another one uncounted.
    before: "$ref",
    code: ({ gen, data, it, schema: { cost, isTrial } }: KeywordCxt & { readonly schema: Step }) => {
      compiled += 1
      if (compiled > compiledMax) throw new RangeError("The schema grows too large")
      const told = gen.scopeValue("func", { ref: visit })
      const given = gen.scopeValue("schema", { ref: cost })
      const errors = isTrial || it.compositeRule === true ? _`undefined` : new Name("vErrors")
      gen.code(_`${told}(${data}, ${given}, ${errors})`)
    }
  }
}

/** A number as a whole number times a power of ten, by its shortest decimal form. */
const decimalOf = (number: number): { readonly digits: bigint; readonly exponent: number } => {
  const [mantissa = "", exponent = "0"] = String(Math.abs(number)).split("e")
  const [whole = "", fraction = ""] = mantissa.split(".")
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

/** Whether a number is a multiple of another as people write them: 19.99 of 0.01, though no double is. */
const isMultiple = (number: number, divisor: number): boolean => {
  if (Number.isSafeInteger(number) && Number.isSafeInteger(divisor)) return number % divisor === 0
  if (!Number.isFinite(number) || !Number.isFinite(divisor)) return false
  const one = decimalOf(number)
  const other = decimalOf(divisor)
  const unit = Math.min(one.exponent, other.exponent)
  const scaled = ({ digits, exponent }: typeof one) => digits * 10n ** BigInt(exponent - unit)
  return scaled(one) % scaled(other) === 0n
}

/** Steps for numbers that are not safe integers: some microseconds at most. */
const decimalCost = 5

/** Ajv's version divides doubles. */
const multipleOf = (budget: StepBudget): KeywordDefinition => ({
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  errors: true,
  validate: reporting((divisor: number, value: number) => {
    budget.spend(decimalCost)
    return isMultiple(value, divisor)
      ? []
      : [
          {
            keyword: "multipleOf",
            params: { multipleOf: divisor },
            message: `must be multiple of ${divisor}`
          }
        ]
  })
})

export const keywordsFor = (budget: StepBudget, visit: Visit): ReadonlyArray<KeywordDefinition> => [
  uniqueItems(budget),
  multipleOf(budget),
  equal(budget),
  dependent(budget),
  steps(visit)
]

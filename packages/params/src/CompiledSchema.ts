/** A checked document as a function that finds what is wrong with a value. */
import type { Json, JsonObject } from "@runhook/core/domain/json/Json"
import { issuesMax, type SchemaIssue } from "@runhook/core/ports/ParamsValidator"
import type { ErrorObject } from "ajv"
import * as Result from "effect/Result"
import type { Dialect } from "./Dialect.ts"
import { formatsFor } from "./Formats.ts"
import { inheritedNameIn, withoutInheritance } from "./InheritedNames.ts"
import { issuesOf, shortened } from "./Issues.ts"
import { isArray, isObject } from "./JsonTree.ts"
import { keywordsFor, type Visit } from "./Keywords.ts"
import * as LinearPattern from "./LinearPattern.ts"
import { StepBudget } from "./StepBudget.ts"

/** How much work one value may cost. */
export interface StepLimits {
  /** Steps to decide whether the value satisfies the schema. */
  readonly verdict: number
  /** Steps to list what is wrong. Each may leave an error in memory. */
  readonly report: number
}

/** The most that is ever done: some seconds at the very worst. */
export const fullLimits: StepLimits = { verdict: 2_000_000, report: 50_000 }

/**
 * Fills the defaults into the value, in place, and answers what is wrong with it. Undefined if the steps run out
 * first; the value is then half filled.
 */
export type CompiledSchema = (value: Json, limits: StepLimits) => ReadonlyArray<SchemaIssue> | undefined

const regExpEngine = (budget: StepBudget) =>
  Object.assign(
    (pattern: string) => ({
      ...LinearPattern.spending(Result.getOrThrow(LinearPattern.compile(pattern)), budget),
      toString: () => pattern
    }),
    { code: "linear" }
  )

/**
 * The share of a step that a visit costs in a report, if all errors it leaves are
 * certain: the report ends when there are enough.
 */
const sureShare = 1 / 40

/** Enough errors were found; more are not shown. */
class Enough extends RangeError {}

type Errors = ReadonlyArray<ErrorObject>

/** One way of running a schema: the errors it found, or undefined if the steps did not suffice to find any. */
type Run = (value: Json, stepsMax: number) => Errors | undefined

export interface ServedDocument {
  readonly dialect: Dialect
  readonly served: JsonObject
  readonly usesUnevaluated: boolean
  readonly hasInheritedDefaults: boolean
}

/**
 * Compiles one way of running a schema. Each schema has its own ajv, since an
 * instance keeps everything it ever compiled.
 */
const compileRun = (
  { dialect, served, usesUnevaluated }: ServedDocument,
  lists: "first error" | "all errors"
): Run => {
  const share = lists === "all errors" ? sureShare : 1
  const budget = new StepBudget()
  let sure: Errors = []
  const visit: Visit = (value, { fixed, perCharacter, perMember }, errors) => {
    if (errors !== undefined && errors !== null) {
      sure = errors
      if (errors.length >= issuesMax) throw new Enough("There are more errors than are shown")
    }
    const grown =
      typeof value === "string"
        ? value.length * perCharacter
        : isArray(value)
          ? value.length * perMember
          : isObject(value)
            ? Object.keys(value).length * perMember
            : 0
    budget.spend((fixed + grown) * (errors === undefined ? 1 : share))
  }
  const ajv = new dialect.Ajv({
    allErrors: lists === "all errors",
    // Optimizing takes time quadratic in the schema, and V8 does it again.
    code: { optimize: false, regExp: regExpEngine(budget) },
    formats: formatsFor(budget),
    // A function for each reference keeps the code as small as the schema.
    inlineRefs: false,
    logger: false,
    // Each name and value that is not looped over becomes code.
    loopEnum: 20,
    loopRequired: 20,
    meta: false,
    // So that 19.99 is a multiple of 0.01.
    multipleOfPrecision: 8,
    ownProperties: true,
    strict: false,
    useDefaults: true,
    validateSchema: false
  })
  // Merging what each schema has evaluated is expensive, and no other keyword reads it.
  ajv.opts.unevaluated = usesUnevaluated
  ajv.removeKeyword("uniqueItems")
  for (const keyword of keywordsFor(budget, visit)) ajv.addKeyword(keyword)
  const validate = ajv.compile(served)
  return (value, stepsMax) => {
    budget.start(stepsMax)
    sure = []
    const valid = bounded(() => validate(value))
    if (valid === undefined) return sure.length > 0 ? sure : undefined
    return valid === true ? [] : (validate.errors ?? [])
  }
}

/** Runs until the work is done; undefined if a budget or the stack is used up first. */
const bounded = <A>(run: () => A): A | undefined => {
  try {
    return run()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * Compiles a served document; undefined if that takes too much.
 *
 * Deciding and reporting are two runs, since only a run that stops at the first error is cheap on every value. The
 * second is compiled when it is first needed. If it takes too much, it reports what it has found so far, and at least
 * the first error.
 */
export const compile = (document: ServedDocument): CompiledSchema | undefined =>
  bounded(() => {
    const verdict = compileRun(document, "first error")
    let report: Run | undefined
    const reported = (value: Json, stepsMax: number) =>
      bounded(() => {
        report ??= compileRun(document, "all errors")
        return report(value, stepsMax)
      })
    const issuesIn: CompiledSchema = (value, limits) => {
      const first = verdict(value, limits.verdict)
      if (first === undefined) return undefined
      if (first.length === 0) return []
      const all = reported(value, limits.report) ?? []
      return issuesOf(all.length > 0 ? all : first)
    }
    return (value, limits) => {
      const inherited = document.usesUnevaluated ? inheritedNameIn(value) : undefined
      if (inherited !== undefined) return [shortened(inherited)]
      return document.hasInheritedDefaults
        ? withoutInheritance(value, () => issuesIn(value, limits))
        : issuesIn(value, limits)
    }
  })

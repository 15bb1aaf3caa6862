/** A checked document as a function that finds what is wrong with a value. */
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import { issuesMax, type SchemaIssue } from "@runhook/core/executions/params/ParamsValidator"
import type { ErrorObject } from "ajv"
import * as Result from "effect/Result"
import type { Dialect } from "./Dialect.ts"
import { formatsFor } from "./Formats.ts"
import * as Evaluated from "./Evaluated.ts"
import { withoutInheritance } from "./InheritedNames.ts"
import { issuesOf } from "./Issues.ts"
import { isArray, isObject, partAt } from "./JsonTree.ts"
import { keywordsFor, type Visit } from "./Keywords.ts"
import * as LinearPattern from "./LinearPattern.ts"
import { fragmentOf, pointerIn } from "./ServedSchema.ts"
import { StepBudget } from "./StepBudget.ts"
import { unevaluatedKeywords } from "./UnevaluatedKeywords.ts"

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
  readonly hasInheritedDefaults: boolean
  /**
   * Pointers to parts of the document. If given, the compiled schema is for objects that have a value for each of them
   * under its index, instead of values of the document.
   */
  readonly parts?: ReadonlyArray<string>
}

/**
 * Compiles one way of running a schema. Each schema has its own ajv, since an
 * instance keeps everything it ever compiled.
 */
const compileRun = ({ dialect, parts, served }: ServedDocument, lists: "first error" | "all errors"): Run => {
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
    ownProperties: true,
    strict: false,
    useDefaults: true,
    validateSchema: false
  })
  ajv.opts.unevaluated = false
  const evaluated = Evaluated.make({
    budget,
    schemaAt: (pointer) => partAt(served, pointer),
    targetOf: pointerIn,
    holds: tries(ajv)
  })
  for (const keyword of [...keywordsFor(budget, visit), ...unevaluatedKeywords(evaluated)]) {
    ajv.removeKeyword(String(keyword.keyword))
    ajv.addKeyword(keyword)
  }
  ajv.addSchema(served, servedUrl)
  const validate = ajv.compile(
    parts === undefined
      ? served
      : { properties: Object.fromEntries(parts.map((part, index) => [index, referenceTo(part)])) }
  )
  return (value, stepsMax) => {
    budget.start(stepsMax)
    sure = []
    const valid = bounded(() => validate(value))
    if (valid === undefined) return sure.length > 0 ? sure : undefined
    return valid === true ? [] : (validate.errors ?? [])
  }
}

/** The name of the served document among the schemas of its ajv. */
const servedUrl = "served:"

const referenceTo = (pointer: string) => ({ $ref: `${servedUrl}${fragmentOf(pointer)}` })

/** Tries parts of the served document on values. Each part is compiled when it is first tried. */
const tries = (ajv: InstanceType<Dialect["Ajv"]>) => {
  const compiled = new Map<string, (value: Json) => unknown>()
  return (pointer: string, value: Json): boolean => {
    const known = compiled.get(pointer)
    const run = known ?? ajv.compile(referenceTo(pointer))
    compiled.set(pointer, run)
    return run(value) === true
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
      return document.hasInheritedDefaults
        ? withoutInheritance(value, () => issuesIn(value, limits))
        : issuesIn(value, limits)
    }
  })

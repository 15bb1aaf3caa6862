/** The formats that are asserted, each in linear time. */
import type { FormatDefinition } from "ajv"
import * as Result from "effect/Result"
import { isDate, isDateTime, isTime } from "./DateFormats.ts"
import { grammars } from "./FormatGrammars.ts"
import * as LinearPattern from "./LinearPattern.ts"
import type { StepBudget } from "./StepBudget.ts"

/** A check of texts, and the steps it takes per character. */
type TextCheck = LinearPattern.LinearPattern

/** For checks whose code was read and found to be linear. */
const linear = (test: (text: string) => boolean): TextCheck => ({ test, program: 1 })

/** Narrows a pattern by a rule. */
const limited = (pattern: TextCheck, rule: (text: string) => boolean): TextCheck => ({
  get program() {
    return pattern.program
  },
  test: (text) => rule(text) && pattern.test(text)
})

const isPattern = (text: string): boolean => Result.isSuccess(Result.try(() => new RegExp(text, "u")))

const texts: ReadonlyMap<string, TextCheck> = new Map([
  ...Object.entries(grammars),
  ["hostname", limited(grammars.hostname, (text) => text.length <= 253)],
  ["date", linear(isDate)],
  ["time", linear(isTime)],
  ["date-time", linear(isDateTime)],
  ["regex", linear(isPattern)],
  ["binary", linear(() => true)],
  ["password", linear(() => true)]
])

const numbers: ReadonlyMap<string, (value: number) => boolean> = new Map([
  ["int32", (value: number) => (value | 0) === value],
  ["int64", Number.isInteger],
  ["float", Number.isFinite],
  ["double", Number.isFinite]
])

export const isKnownFormat = (name: string): boolean => texts.has(name) || numbers.has(name)

/** The formats as ajv takes them; each spends the steps of its checks. */
export const formatsFor = (
  budget: StepBudget
): { readonly [name: string]: FormatDefinition<string> | FormatDefinition<number> } => ({
  ...Object.fromEntries(
    Array.from(texts, ([name, check]) => [
      name,
      { type: "string", validate: LinearPattern.spending(check, budget).test }
    ])
  ),
  ...Object.fromEntries(Array.from(numbers, ([name, validate]) => [name, { type: "number", validate }]))
})

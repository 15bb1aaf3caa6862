/** The formats that are asserted, each in linear time. */
import type { FormatDefinition } from "ajv"
import { fullFormats } from "ajv-formats/dist/formats.js"
import * as LinearPattern from "./LinearPattern.ts"
import type { StepBudget } from "./StepBudget.ts"

/** A check of texts, and the steps it takes per character. */
type TextCheck = LinearPattern.LinearPattern

/** For checks whose code was read and found to be linear. */
const linear = (test: (text: string) => boolean): TextCheck => ({ test, program: 1 })

/** The checks of ajv-formats: RE2 runs its regular expressions; its functions are linear. */
const standardNames = [
  "date",
  "time",
  "date-time",
  "email",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "uri-template",
  "uuid",
  "json-pointer",
  "relative-json-pointer",
  "regex"
] as const

const standard = (name: (typeof standardNames)[number]): TextCheck => {
  const format: unknown = fullFormats[name]
  const check =
    typeof format === "object" && format !== null && "validate" in format ? format.validate : format
  if (check instanceof RegExp) return LinearPattern.ofExpression(check)
  if (typeof check === "function") return linear((text) => check(text) === true)
  throw new Error(`ajv-formats has no check of texts for ${name}`)
}

/** Narrows a pattern by a rule. */
const limited = (pattern: TextCheck, rule: (text: string) => boolean): TextCheck => ({
  get program() {
    return pattern.program
  },
  test: (text) => rule(text) && pattern.test(text)
})

// The expressions of ajv-formats for duration and hostname use lookahead, and the one for byte accepts one
// matching line of many.
const durationParts = LinearPattern.ofExpression(
  /^P(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|\d+W)$/
)
const hostLabels = LinearPattern.ofExpression(
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i
)

const texts: ReadonlyMap<string, TextCheck> = new Map([
  ...standardNames.map((name) => [name, standard(name)] as const),
  ["duration", limited(durationParts, (text) => !/[PT]$/.test(text))],
  ["hostname", limited(hostLabels, (text) => text.length <= 253)],
  ["byte", LinearPattern.ofExpression(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)],
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

/** Regular expressions that take time linear in the text, by RE2: no pattern can hang. */
import * as Result from "effect/Result"
import { RE2JS } from "re2js"
import { translate } from "./PatternTranslation.ts"
import type { StepBudget } from "./StepBudget.ts"

/** The longest pattern, in UTF-16 code units. */
export const patternLengthMax = 512

/** The largest program of one pattern, in RE2 instructions: counted repetition multiplies them. */
const programMax = 5_000

export interface LinearPattern {
  /** Whether the pattern matches anywhere in the text, as in JSON Schema. */
  readonly test: (text: string) => boolean
  /** RE2 instructions: the most that one character of text can cost. */
  readonly program: number
}

const unknownTo = (fault: string) => `is not a linear-time pattern as RE2 knows them: it has ${fault}`

const compileExpression = (expression: RegExp): Result.Result<LinearPattern, string> =>
  translate(expression).pipe(
    Result.flatMap((text) =>
      Result.try({
        try: () => RE2JS.compile(text),
        catch: () => "a count over 1000 or an unknown Unicode property"
      })
    ),
    Result.mapError(unknownTo),
    Result.filterOrFail(
      (compiled) => compiled.programSize() <= programMax,
      () => "is a pattern that repeats too much"
    ),
    Result.map((compiled) => ({ test: (text) => compiled.test(text), program: compiled.programSize() }))
  )

/**
 * The linear-time form of one of our own expressions: compiled at its first use,
 * since that takes milliseconds.
 */
export const ofExpression = (expression: RegExp): LinearPattern => {
  let compiled: LinearPattern | undefined
  const use = () => (compiled ??= Result.getOrThrow(compileExpression(expression)))
  return {
    get program() {
      return use().program
    },
    test: (text) => use().test(text)
  }
}

/** Compiles a pattern with the meaning that it has in JavaScript with the flag `u`, or says why it cannot be served. */
export const compile = (pattern: string): Result.Result<LinearPattern, string> => {
  if (pattern.length > patternLengthMax) {
    return Result.fail(`is a pattern of more than ${patternLengthMax} characters`)
  }
  return Result.try({
    try: () => new RegExp(pattern, "u"),
    catch: () => "is not a regular expression of JavaScript with the flag u"
  }).pipe(Result.flatMap(compileExpression))
}

/** RE2 instructions per step. They take some ten nanoseconds each. */
const instructionsPerStep = 100

/** The same pattern, spending steps for every text. */
export const spending = (pattern: LinearPattern, budget: StepBudget): Pick<LinearPattern, "test"> => ({
  test: (text) => {
    budget.spend(1 + (text.length * pattern.program) / instructionsPerStep)
    return pattern.test(text)
  }
})

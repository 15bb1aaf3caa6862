/** One setting, and the environment variable that sets it. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { secretIn } from "./SecretFile.ts"
import type { Parse } from "./SettingText.ts"

interface Description<A> {
  readonly name: string
  /** What it decides, in Markdown. */
  readonly meaning: string
  readonly parse: Parse<A>
}

export interface Setting<A> {
  readonly name: string
  readonly meaning: string
  /** The default, in Markdown. */
  readonly default: string
  readonly parse: Parse<A>
  /** Whether it may come from a file, which `<name>_FILE` names. */
  readonly isSecret: boolean
  /** Its value when it is not set. */
  readonly unset: A
}

/** A setting that may stay unset. `default` says in Markdown what applies then. */
export const setting = <A>(
  description: Description<A> & { readonly default: string }
): Setting<A | undefined> => ({ ...description, isSecret: false, unset: undefined })

/** The same for a secret, which may also be in a file instead of the environment. */
export const secretSetting = <A>(
  description: Description<A> & { readonly default: string }
): Setting<A | undefined> => ({ ...setting(description), isSecret: true })

/** The variable that names the file of a secret. */
export const fileVariableOf = (name: string): string => `${name}_FILE`

/** A setting whose default is the text that would set it. `shown` says in Markdown when or where that applies. */
export const settingWithDefault = <A>({
  default: text,
  shown = `\`${text}\``,
  ...description
}: Description<A> & { readonly default: string; readonly shown?: string }): Setting<A> => ({
  ...description,
  isSecret: false,
  default: shown,
  unset: Result.getOrThrow(description.parse(text))
})

/** The text of an environment variable; undefined if it is not set, or empty. */
type Variable = (name: string) => Effect.Effect<string | undefined>

/** Reads a setting, or fails with what is wrong in it. */
export const readBy = (variable: Variable) =>
  Effect.fnUntraced(function* <A>(self: Setting<A>) {
    const { called, text } = yield* textOf(self, variable)
    if (text === undefined) return self.unset
    const value = text === "" ? Result.fail("is empty") : self.parse(text)
    return Result.isSuccess(value) ? value.success : yield* Effect.fail(`${called} ${value.failure}`)
  })

/** The text of a setting, and what messages call it. */
const textOf = Effect.fnUntraced(function* (
  { isSecret, name }: Pick<Setting<unknown>, "isSecret" | "name">,
  variable: Variable
) {
  const text = yield* variable(name)
  const fileVariable = fileVariableOf(name)
  const file = isSecret ? yield* variable(fileVariable) : undefined
  if (file === undefined) return { called: name, text }
  const content = yield* Effect.mapError(secretIn(file), (problem) => `${fileVariable} ${problem}`)
  // The same twice is one: operators export keys for `curl`, and give the service their files.
  if (text !== undefined && text !== content)
    return yield* Effect.fail(`${name} and ${fileVariable} have different values: unset one of them`)
  return { called: `The content of ${fileVariable}`, text: content }
})

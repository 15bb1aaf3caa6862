/** One setting, and the environment variable that sets it. */
import * as Result from "effect/Result"
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
  /** Its value when it is not set. */
  readonly unset: A
}

/** A setting that may stay unset. `default` says in Markdown what applies then. */
export const setting = <A>(
  description: Description<A> & { readonly default: string }
): Setting<A | undefined> => ({ ...description, unset: undefined })

/** A setting whose default is the text that would set it. */
export const settingWithDefault = <A>({
  default: text,
  ...description
}: Description<A> & { readonly default: string }): Setting<A> => ({
  ...description,
  default: `\`${text}\``,
  unset: Result.getOrThrow(description.parse(text))
})

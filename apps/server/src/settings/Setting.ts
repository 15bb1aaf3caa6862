/** What is known of one setting, whatever reads it. */
import type { Parse } from "./SettingText.ts"

export interface Setting<A> {
  readonly name: string
  /** What holds when it is not set, in Markdown. */
  readonly default: string
  /** What it decides, in Markdown. */
  readonly meaning: string
  readonly parse: Parse<A>
}

export const setting = <A>(options: Setting<A>): Setting<A> => options

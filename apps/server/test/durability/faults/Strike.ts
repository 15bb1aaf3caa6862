/** Something that happens to a service under load. */
import type { Load } from "../load/Load.ts"

export interface Strike<Parts> {
  readonly name: string
  /** Does it, and answers when it is over. */
  happen(parts: Parts, load: Load): Promise<void>
}

/** Files that were stored and are gone: each is reported once, however often it is asked for. */
import * as Effect from "effect/Effect"

/** Files whose loss is remembered; beyond that, the one reported first is reported again. */
const rememberedMax = 1_000

export class LostFiles {
  readonly #told = new Set<string>()

  tell(path: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#told.has(path)) return Effect.void
      const [first] = this.#told
      if (first !== undefined && this.#told.size >= rememberedMax) this.#told.delete(first)
      this.#told.add(path)
      return Effect.logError(`A stored file is lost or was changed: ${path}. Restore it from a backup`)
    })
  }
}

/** The buffer in which a waiting poll gets work that is handed over to it: one run at a time, while it is open. */
import * as Effect from "effect/Effect"
import type { Change } from "../Run.ts"
import type { ReservedWork } from "./WorkInlet.ts"

export class WorkHatch {
  readonly #wake: () => void
  #isOpen = false
  #isKept = false
  #handed: Change | undefined
  /** Resumes the poll that waits until its kept place is used or freed. */
  #goOn: (() => void) | undefined

  /** `wake` is called when there is something to look for. */
  constructor(wake: () => void) {
    this.#wake = wake
  }

  /** Its poll waits, and knows of nothing to do. */
  open(): void {
    this.#isOpen = true
  }

  reservePlace(): ReservedWork | null {
    if (!this.#isOpen || this.#isKept) return null
    this.#isKept = true
    return {
      begin: (change) => {
        this.#handed = change
        this.#endWith(this.#wake)
      },
      free: () => {
        this.#isKept = false
        this.#goOn?.()
      },
      doubt: () => this.#endWith(this.#wake)
    }
  }

  #endWith(wake: () => void): void {
    this.#isOpen = false
    this.#isKept = false
    const next = this.#goOn ?? wake
    next()
  }

  /** Closes it, and takes what was handed over, once that is known. */
  readonly close: Effect.Effect<Change | undefined> = Effect.suspend(() => {
    this.#isOpen = false
    const told = this.#isKept
      ? Effect.callback<void>((resume) => {
          this.#goOn = () => resume(Effect.void)
        })
      : Effect.void
    return Effect.map(told, () => {
      const handed = this.#handed
      this.#handed = undefined
      this.#goOn = undefined
      return handed
    })
  })
}

/** Keeps how far an attempt came: one value after the other, in the order of the calls. */
import type { Held } from "../requests/Runner.ts"
import type { Calls } from "./Calls.ts"

export interface CheckpointsOptions {
  readonly lease: Held
  readonly calls: Pick<Calls, "keepCheckpoint">
  /** Aborts when the service accepts nothing more. */
  readonly signal: AbortSignal
  readonly onFailure: (cause: unknown) => void
}

export class Checkpoints {
  readonly #options: CheckpointsOptions
  /** Never rejects. */
  #settled = Promise.resolve()

  constructor(options: CheckpointsOptions) {
    this.#options = options
  }

  /** Keeps the value as it is now, however it changes later. */
  keep(value: unknown): Promise<void> {
    const { calls, lease, onFailure, signal } = this.#options
    const copy = structuredClone(value)
    const kept = this.#settled.then(() => calls.keepCheckpoint(lease, copy, { signal }))
    // One that is not awaited must not crash the process.
    this.#settled = kept.catch(onFailure)
    return kept
  }

  /** Waits for those that the work did not await. */
  settled(): Promise<void> {
    return this.#settled
  }
}

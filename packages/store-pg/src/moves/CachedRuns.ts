/**
 * Caches runs as this process last saw them, so that the move after a claim or a
 * move needs no read. If others have moved one meanwhile, its revision shows
 * that when it is stored.
 */
import type { StoredRun } from "../executions/RunRow.ts"
import type { ExecutionRef } from "./Move.ts"

export const remembersMax = 10_000
export const bytesMax = 32 * 1_024 * 1_024

/** What a run weighs beside its request. */
const runBytes = 2_048

export class CachedRuns {
  readonly #runs = new Map<string, StoredRun>()
  #bytes = 0

  /** The run, if this process remembers it and it is the account's. */
  get({ accountId, id }: ExecutionRef): StoredRun | undefined {
    const stored = this.#runs.get(id)
    return stored?.run.execution.accountId === accountId ? stored : undefined
  }

  /** Remembers a run that somebody has: of what waits or is over, another move is not soon to come. */
  note(stored: StoredRun): void {
    const { execution, inputs, lease } = stored.run
    this.drop(execution.id)
    if (lease === null || inputs.length > 0) return
    this.#runs.set(execution.id, stored)
    this.#bytes += weightOf(stored)
    for (const [id] of this.#runs) {
      if (this.#runs.size <= remembersMax && this.#bytes <= bytesMax) return
      this.drop(id)
    }
  }

  clear(): void {
    this.#runs.clear()
    this.#bytes = 0
  }

  drop(id: string): void {
    const stored = this.#runs.get(id)
    if (stored === undefined) return
    this.#runs.delete(id)
    this.#bytes -= weightOf(stored)
  }
}

const weightOf = ({ requestBytes }: StoredRun): number => runBytes + requestBytes

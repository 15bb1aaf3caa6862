/**
 * Caches runs as this process last saw them, so that the move after a claim or a move needs no read. If others have
 * moved one meanwhile, its revision shows that when the move is stored.
 */
import type { StoredRun } from "../../executions/RunRow.ts"
import type { ExecutionRef } from "./PgRuns.ts"

const remembersMax = 10_000
const bytesMax = 32 * 1_024 * 1_024

/** The bytes of a run besides its request. */
const runBytes = 2_048

export class CachedRuns {
  readonly #runs = new Map<string, StoredRun>()
  #bytes = 0

  /** The run, if it is cached and belongs to the account. */
  get({ accountId, id }: ExecutionRef): StoredRun | undefined {
    const stored = this.#runs.get(id)
    return stored?.run.execution.accountId === accountId ? stored : undefined
  }

  /** Caches a run that a runner holds. Waiting and ended runs will not move again soon. */
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

/** Compares what was acknowledged with what arrived: nothing lost, nothing twice, all in order. */

/** The callbacks of an execution that completes, in their order. */
export const lifecycleEvents = ["execution.queued", "execution.started", "execution.completed"] as const

export interface Callback {
  readonly executionId: string
  readonly type: string
  /** Milliseconds from what it tells of until it came. */
  readonly lag: number
}

export interface Counts {
  /** Executions whose creation was acknowledged. */
  readonly created: number
  /** Requests that were refused for good, whatever was tried again. */
  readonly refused: number
  readonly callbacks: number
  /** Callbacks that did not prove who sent them, or could not be read. */
  readonly rejected: number
  /** Callbacks that came more than once. */
  readonly doubled: number
  /** Callbacks that came for the first time after a later one of their execution. */
  readonly outOfOrder: number
  /** Callbacks that have not come, of executions that were acknowledged. */
  readonly missing: number
  /** Executions with callbacks, but without an acknowledged create. */
  readonly unknown: number
}

interface Entry {
  isAcknowledged: boolean
  /** Places in `lifecycleEvents`. */
  readonly come: Set<number>
}

export class Ledger {
  readonly #open = new Map<string, Entry>()
  /** Those of which all has come. Kept so that what comes again is noticed. */
  readonly #settled = new Set<string>()
  #created = 0
  #refused = 0
  #callbacks = 0
  #rejected = 0
  #doubled = 0
  #outOfOrder = 0
  #lags = new Array<number>()

  acknowledge(executionId: string): void {
    this.#created++
    // Its first callback may have come before the answer.
    const entry = this.#entryOf(executionId)
    entry.isAcknowledged = true
    this.#settle(executionId, entry)
  }

  refuse(): void {
    this.#refused++
  }

  reject(): void {
    this.#rejected++
  }

  receive({ executionId, lag, type }: Callback): void {
    this.#callbacks++
    this.#lags.push(lag)
    const place = lifecycleEvents.findIndex((each) => each === type)
    if (place < 0) return this.reject()
    if (this.#settled.has(executionId)) return void this.#doubled++
    const entry = this.#entryOf(executionId)
    if (entry.come.has(place)) this.#doubled++
    else if (entry.come.size > 0 && place < Math.max(...entry.come)) this.#outOfOrder++
    entry.come.add(place)
    this.#settle(executionId, entry)
  }

  /** The lags since this was last asked. */
  takeLags(): ReadonlyArray<number> {
    const lags = this.#lags
    this.#lags = []
    return lags
  }

  counts(): Counts {
    const open = [...this.#open.values()]
    return {
      created: this.#created,
      refused: this.#refused,
      callbacks: this.#callbacks,
      rejected: this.#rejected,
      doubled: this.#doubled,
      outOfOrder: this.#outOfOrder,
      missing: open
        .filter(({ isAcknowledged }) => isAcknowledged)
        .reduce((sum, { come }) => sum + lifecycleEvents.length - come.size, 0),
      unknown: open.filter(({ isAcknowledged }) => !isAcknowledged).length
    }
  }

  #entryOf(executionId: string): Entry {
    const entry = this.#open.get(executionId) ?? { isAcknowledged: false, come: new Set() }
    this.#open.set(executionId, entry)
    return entry
  }

  #settle(executionId: string, { come, isAcknowledged }: Entry): void {
    if (!isAcknowledged || come.size < lifecycleEvents.length) return
    this.#open.delete(executionId)
    this.#settled.add(executionId)
  }
}

/** Milliseconds from the commit of an event to its arrival, at an even pace or in a burst. */
import { setTimeout as pause } from "node:timers/promises"
import { type Counted, type Cpu, counting, cpuColumns, type Parts } from "./Cpu.ts"
import { medianOf, quantile } from "./Report.ts"

export interface Lags {
  /** From the answer to the caller, after the commit, to the arrival of the event. */
  readonly p50: number
  readonly p99: number
  /** From the question, so with all that a commit takes. */
  readonly p50FromRequest: number
  readonly p99FromRequest: number
  /** Events a second that were committed in fact. */
  readonly perSecond: number
  /** Events a second from the first question to the last arrival. */
  readonly arrivedPerSecond: number
  /** What an event cost, from its commit, that included, until nothing was left to do for any. */
  readonly cpu: Cpu
}

/** Longest wait for the last events, in milliseconds. */
const arrivalMax = 120_000

/** Has events caused, each by its number, and ends when all are committed. */
export type Drive = (causeOne: (number: number) => Promise<void>) => Promise<unknown>

/** So many a second at even intervals, whether or not earlier ones have ended. */
export const evenly =
  ({ perSecond, seconds }: { readonly perSecond: number; readonly seconds: number }): Drive =>
  async (causeOne) => {
    const begun = performance.now()
    const causing = new Array<Promise<void>>()
    for (let number = 0; number < perSecond * seconds; number++) {
      const wait = begun + (number * 1_000) / perSecond - performance.now()
      if (wait > 1) await pause(wait)
      causing.push(causeOne(number))
    }
    await Promise.all(causing)
  }

export interface Side {
  readonly counted: Parts<Counted>
  /** Causes an event, one after the other by number, and answers its name once it is committed. */
  readonly cause: (number: number) => Promise<string>
  /** Ends when nothing is left to do for events that have arrived. */
  readonly drained: () => Promise<void>
}

interface Caused {
  readonly name: string
  readonly askedAt: number
  readonly committedAt: number
}

/** Notes when events are committed and when they arrive. */
export class LagWatch {
  readonly #arrived = new Map<string, number>()

  /** What a receiver calls. An event that comes again arrived when it came first. */
  readonly arrive = (name: string): void => {
    if (!this.#arrived.has(name)) this.#arrived.set(name, performance.now())
  }

  /** Causes events, and answers how long they took. */
  async measure({ cause, counted, drained }: Side, drive: Drive): Promise<Lags> {
    this.#arrived.clear()
    const caused = new Array<Caused>()
    const used = await counting(counted)
    const begun = performance.now()
    await drive(async (number) => {
      const askedAt = performance.now()
      const name = await cause(number)
      caused.push({ name, askedAt, committedAt: performance.now() })
    })
    const committed = performance.now()
    await this.#arrivalOf(caused)
    await drained()
    const cpu = await used(caused.length)
    // One may arrive before its commit has been answered.
    const lags = (since: "askedAt" | "committedAt") =>
      caused.map((event) => Math.max(0, this.#arrivedAt(event) - event[since]))
    const lastArrival = caused.reduce((last, event) => Math.max(last, this.#arrivedAt(event)), 0)
    const perSecondUntil = (end: number) => (caused.length * 1_000) / (end - begun)
    return {
      p50: quantile(lags("committedAt"), 0.5),
      p99: quantile(lags("committedAt"), 0.99),
      p50FromRequest: quantile(lags("askedAt"), 0.5),
      p99FromRequest: quantile(lags("askedAt"), 0.99),
      perSecond: perSecondUntil(committed),
      arrivedPerSecond: perSecondUntil(lastArrival),
      cpu
    }
  }

  #arrivedAt({ name }: Caused): number {
    return this.#arrived.get(name) ?? Number.NaN
  }

  async #arrivalOf(caused: ReadonlyArray<Caused>): Promise<void> {
    const end = performance.now() + arrivalMax
    while (caused.some(({ name }) => !this.#arrived.has(name))) {
      if (performance.now() > end) throw new Error("Events have not arrived after two minutes")
      await pause(50)
    }
  }
}

/** The columns of them in a table. */
export const lagColumns = (runs: ReadonlyArray<Lags>) => ({
  "committed/s": medianOf(runs, (run) => run.perSecond),
  "arrived/s": medianOf(runs, (run) => run.arrivedPerSecond),
  "p50 ms": medianOf(runs, (run) => run.p50),
  "p99 ms": medianOf(runs, (run) => run.p99),
  "p50 ms from the request": medianOf(runs, (run) => run.p50FromRequest),
  "p99 ms from the request": medianOf(runs, (run) => run.p99FromRequest),
  ...cpuColumns(runs)
})

/** Milliseconds from the commit of an event to its arrival, while so many are caused a second. */
import { setTimeout as pause } from "node:timers/promises"
import { type Counted, type Cpu, counting, cpuColumns, type Parts } from "./Cpu.ts"
import { medianOf, quantile } from "./Report.ts"

export interface Lags {
  /** From the answer to whoever caused an event, which comes after its commit, to its arrival. */
  readonly p50: number
  readonly p99: number
  /** From the question, so with all that a commit takes. */
  readonly p50FromRequest: number
  readonly p99FromRequest: number
  /** Events a second that were committed in fact. */
  readonly perSecond: number
  /** What an event cost, from its commit, that included, to its arrival. */
  readonly cpu: Cpu
}

/** Longest wait for the last events, in milliseconds. */
const arrivalMax = 30_000

export interface Steady {
  readonly counted: Parts<Counted>
  /** Causes an event, one after the other by number, and answers its name once it is committed. */
  readonly cause: (number: number) => Promise<string>
  readonly perSecond: number
  readonly seconds: number
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

  /** Causes events at even times, and answers how long they took. */
  async measure({ cause, counted, perSecond, seconds }: Steady): Promise<Lags> {
    this.#arrived.clear()
    const causeOne = async (number: number): Promise<Caused> => {
      const askedAt = performance.now()
      const name = await cause(number)
      return { name, askedAt, committedAt: performance.now() }
    }
    const used = await counting(counted)
    const begun = performance.now()
    const causing = new Array<Promise<Caused>>()
    for (let number = 0; number < perSecond * seconds; number++) {
      const wait = begun + (number * 1_000) / perSecond - performance.now()
      if (wait > 1) await pause(wait)
      causing.push(causeOne(number))
    }
    const caused = await Promise.all(causing)
    const elapsed = (performance.now() - begun) / 1_000
    await this.#arrivalOf(caused)
    const cpu = await used(caused.length)
    const lags = (since: "askedAt" | "committedAt") =>
      // One may arrive before its commit has been answered.
      caused.map((event) => Math.max(0, (this.#arrived.get(event.name) ?? Number.NaN) - event[since]))
    return {
      p50: quantile(lags("committedAt"), 0.5),
      p99: quantile(lags("committedAt"), 0.99),
      p50FromRequest: quantile(lags("askedAt"), 0.5),
      p99FromRequest: quantile(lags("askedAt"), 0.99),
      perSecond: caused.length / elapsed,
      cpu
    }
  }

  async #arrivalOf(caused: ReadonlyArray<Caused>): Promise<void> {
    const end = performance.now() + arrivalMax
    while (caused.some(({ name }) => !this.#arrived.has(name))) {
      if (performance.now() > end) throw new Error("Events have not arrived after half a minute")
      await pause(50)
    }
  }
}

/** The columns of them in a table. */
export const lagColumns = (runs: ReadonlyArray<Lags>) => ({
  "committed/s": medianOf(runs, (run) => run.perSecond),
  "p50 ms": medianOf(runs, (run) => run.p50),
  "p99 ms": medianOf(runs, (run) => run.p99),
  "p50 ms from the request": medianOf(runs, (run) => run.p50FromRequest),
  "p99 ms from the request": medianOf(runs, (run) => run.p99FromRequest),
  ...cpuColumns(runs)
})

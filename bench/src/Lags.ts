/** Milliseconds from the commit of an event to its arrival, while so many are committed a second. */
import { setTimeout as pause } from "node:timers/promises"
import { Pool } from "pg"
import { type Counted, type Cpu, counting, nobody } from "./Cpu.ts"
import { announcer, eventFor, store, type Target } from "./Deliveries.ts"
import type { Database } from "./Postgres.ts"
import { quantile } from "./Report.ts"

export interface Lags {
  readonly p50: number
  readonly p99: number
  /** Events a second that were committed in fact. */
  readonly perSecond: number
  /** What an event cost, from its commit, that included, to its arrival. */
  readonly cpu: Cpu
}

/** Commits at once, so that one that takes long delays no other. */
const connectionsMax = 8

/** Longest wait for the last events, in milliseconds. */
const arrivalMax = 30_000

export interface Steady {
  readonly database: Database
  readonly server: Counted
  /** Who sends. */
  readonly dispatcher: Counted
  readonly targets: ReadonlyArray<Target>
  readonly perSecond: number
  readonly seconds: number
}

/** Notes when events are committed and when they arrive. */
export class LagWatch {
  readonly #committed = new Map<string, number>()
  readonly #arrived = new Map<string, number>()

  /** What a receiver calls. An event that comes again arrived when it came first. */
  readonly arrive = (id: string): void => {
    if (!this.#arrived.has(id)) this.#arrived.set(id, performance.now())
  }

  /** Commits events for the targets by turns, each in a transaction of its own, and answers how long they took. */
  async measure({ database, dispatcher, perSecond, seconds, server, targets }: Steady): Promise<Lags> {
    this.#committed.clear()
    this.#arrived.clear()
    const pool = new Pool({ connectionString: database.url, max: connectionsMax })
    const run = async (statement: string, values?: ReadonlyArray<unknown>) =>
      (await pool.query(statement, values && [...values])).rows
    const announce = announcer(database)
    const commit = async (target: Target) => {
      const event = eventFor(target)
      await store({ run }, [event])
      this.#committed.set(event.id, performance.now())
      await announce()
    }
    const counted = await counting({ node: dispatcher, postgres: server, callers: nobody })
    const begun = performance.now()
    const commits = new Array<Promise<void>>()
    for (let number = 0; number < perSecond * seconds; number++) {
      const wait = begun + (number * 1_000) / perSecond - performance.now()
      if (wait > 1) await pause(wait)
      const target = targets[number % targets.length]
      if (target !== undefined) commits.push(commit(target))
    }
    await Promise.all(commits)
    const elapsed = (performance.now() - begun) / 1_000
    await pool.end()
    const lags = await this.#lags()
    return { ...lags, perSecond: commits.length / elapsed, cpu: await counted(commits.length) }
  }

  async #lags(): Promise<Pick<Lags, "p50" | "p99">> {
    const end = performance.now() + arrivalMax
    const isMissing = () => [...this.#committed.keys()].some((id) => !this.#arrived.has(id))
    while (isMissing()) {
      if (performance.now() > end) throw new Error("Events have not arrived after half a minute")
      await pause(50)
    }
    // One may arrive before its commit has been answered.
    const lags = [...this.#committed].map(([id, at]) => Math.max(0, (this.#arrived.get(id) ?? at) - at))
    return { p50: quantile(lags, 0.5), p99: quantile(lags, 0.99) }
  }
}

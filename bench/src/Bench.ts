import type { Ours } from "./Ours.ts"

/** How long a soak goes on, and what it leaves. */
export interface Soak {
  readonly minutes: number
  /** Executions a second. */
  readonly perSecond: number
  /** The file of its samples. */
  readonly csv: string
}

/** One question, answered by measuring both sides in one run. */
export interface Options {
  /** Removed at the end; for scripts, logs and files. */
  readonly folder: string
  /** Everything started is registered here, and ends with it. */
  readonly resources: AsyncDisposableStack
  /** Starts the service, if no other bench of a quick run has. */
  readonly ours: () => Promise<Ours>
  /** Tiny sizes, to see that it runs; the figures then mean nothing. */
  readonly quick: boolean
  /** Where the service leaves a CPU profile; null makes none. */
  readonly profile: string | null
  /** The largest number of rows to make. */
  readonly rows: number
  readonly soak: Soak
}

export type Bench = (options: Options) => Promise<void>

/** One question, answered by measuring both sides in one run. */
export interface Options {
  /** Removed at the end; for scripts, logs and files. */
  readonly folder: string
  /** Everything started is registered here, and ends with it. */
  readonly resources: AsyncDisposableStack
  /** Tiny sizes, to see that it runs; the figures then mean nothing. */
  readonly quick: boolean
  /** Where the service leaves a CPU profile; null makes none. */
  readonly profile: string | null
  /** The largest number of rows to make. */
  readonly rows: number
}

export type Bench = (options: Options) => Promise<void>

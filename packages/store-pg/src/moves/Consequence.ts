/** Something that follows from a step, and is stored with it. */
import type { Insert } from "../sql/Inserts.ts"
import type { Columns } from "../sql/Rows.ts"
import type { Fixed, InBucket } from "../sql/Statement.ts"
import type { Step } from "./Move.ts"

/** What happens to a step whose run is locked: a group skips it, so that no step waits for the lock of another. */
export type Locked = "skip" | "wait"

export interface Way {
  readonly locked: Locked
  /** Whether rows are inserted after the change. */
  readonly insertsLater: boolean
}

/** A stored step, and whether its event was begun with it. */
export interface StoredStep extends Step {
  readonly isBegun: boolean
}

export interface Consequence {
  readonly isOf: (step: Step, way: Way) => boolean
  readonly columns?: Columns<Step>
  /** Assignments to `executions` e, from the step `n`. */
  readonly assigns?: string
  /** Runs before the change, on the steps `locked`. */
  readonly before?: Fixed<InBucket>
  /** A condition on the change of the step `n`, besides its revision. */
  readonly requires?: string
  /** Runs with the change, on the stored steps, `after`. */
  readonly with?: Fixed<InBucket>
  /** Inserts with the change, or after it. */
  readonly inserts?: Insert<InBucket>
  /** Whether the event of a stored step, `after`, has begun, and behind which other event. */
  readonly begun?: { readonly isBegun: string; readonly behind: string }
  /** Whether endpoints are yet to be told of a stored step. */
  readonly hasListeners?: string
}

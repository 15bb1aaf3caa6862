/** Something that follows from a step, and is stored with it. */
import type { Insert } from "../sql/Inserts.ts"
import type { Columns } from "../sql/Rows.ts"
import type { Fixed, InBucket } from "../sql/Statement.ts"
import type { Step } from "./Move.ts"

/** What happens to a step whose run is locked: a group skips it, so that no step waits for the lock of another. */
export type Locked = "skip" | "wait"

export interface Way {
  readonly locked: Locked
  /** Whether rows are added behind the change. */
  readonly insertsLater: boolean
}

/** A step that is stored, and whether its event was begun with it. */
export interface StoredStep extends Step {
  readonly isBegun: boolean
}

export interface Consequence {
  readonly isOf: (step: Step, way: Way) => boolean
  readonly columns?: Columns<Step>
  /** What it assigns to `executions` e, from the step `n`. */
  readonly assigns?: string
  /** What comes before the change, of the steps `locked`. */
  readonly before?: Fixed<InBucket>
  /** On what the change of the step `n` depends beside its revision. */
  readonly requires?: string
  /** What comes with the change, of the steps that were stored, `after`. */
  readonly with?: Fixed<InBucket>
  /** What is added with the change, or behind it. */
  readonly inserts?: Insert<InBucket>
  /** Whether the event of a step that was stored, `after`, is begun already, and behind which other. */
  readonly begun?: { readonly isBegun: string; readonly behind: string }
}

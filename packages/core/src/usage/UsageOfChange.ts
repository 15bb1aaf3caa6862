/** What a change of an execution adds to the counts. */
import * as DateTime from "effect/DateTime"
import { isTerminal } from "../executions/ExecutionStatus.ts"
import type { Change, Run } from "../runs/Run.ts"
import type { Counter } from "./UsageCounts.ts"

export interface CountedChange {
  readonly counter: Counter
  /** What it took from its due time, in milliseconds; null if that says nothing. */
  readonly millis: number | null
  /** Whether it ended without having run. */
  readonly isUnstarted?: boolean
}

/** A change counts as one thing at most; null if it counts as none. */
export const countedOf = ({ changed, run }: Change): CountedChange | null => {
  if (!changed) return null
  const { stoppedAt, updatedAt } = run.execution
  if (run.revision === 1) return { counter: "created", millis: null }
  if (isFirstStart(run)) return { counter: "started", millis: millisUntil(run, updatedAt) }
  const counter = ends[run.execution.status]
  if (counter === undefined || stoppedAt === null || !isTerminal(run.execution.status)) return null
  const isDone = counter === "completed" || counter === "failed"
  if (isDone) return { counter, millis: millisUntil(run, stoppedAt) }
  return { counter, millis: null, isUnstarted: run.execution.attempt === 0 }
}

const ends: { readonly [Status in Run["execution"]["status"]]?: Counter } = {
  completed: "completed",
  error: "failed",
  aborted: "aborted",
  cancelled: "cancelled"
}

/** Work that continues after an answer, or is retried, has started before. */
const isFirstStart = ({ execution, inputs }: Run): boolean =>
  execution.status === "running" &&
  execution.attempt === 1 &&
  inputs.length === 0 &&
  execution.startedAt?.epochMilliseconds === execution.updatedAt.epochMilliseconds

const millisUntil = (run: Run, at: DateTime.Utc): number =>
  Math.max(0, at.epochMilliseconds - queuedAt(run).epochMilliseconds)

/** When it fell due: its due time, which stays until it is queued again. */
const queuedAt = ({ dueAt, execution, inputs }: Run): DateTime.Utc =>
  execution.attempt <= 1 && inputs.length === 0
    ? dueAt
    : DateTime.max(execution.createdAt, execution.scheduledAt ?? execution.createdAt)

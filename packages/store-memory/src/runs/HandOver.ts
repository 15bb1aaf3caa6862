/** Gives a run to a poll of this process that waits for it, as it is created. */
import { assign } from "@runhook/core/runs/LeaseMoves"
import type { Run } from "@runhook/core/runs/Run"
import { takesNoMore } from "@runhook/core/runs/sessions/RunnerSession"
import type { WorkInlet } from "@runhook/core/runs/claim/WorkInlet"
import type { WorkInlets } from "@runhook/core/runs/claim/WorkInlets"
import * as DateTime from "effect/DateTime"
import { noteForEndpoints } from "../endpoints/FanOut.ts"
import type { Tables } from "../MemoryDatabase.ts"
import { claimable, roomsOf } from "./ClaimRuns.ts"

/** Whether a run that has just entered the queue was handed over. */
export const isTakenAtOnce = (tables: Tables, inlets: WorkInlets["Service"], run: Run): boolean => {
  const { createdAt: at, status } = run.execution
  if (status !== "queued" || run.execution.concurrency !== null || DateTime.isGreaterThan(run.dueAt, at))
    return false
  const place = inlets.placeFor(run.execution)
  if (place === undefined) return false
  const { inlet, kept } = place
  if (!isNext(tables, { inlet, run, at })) {
    kept.free()
    return false
  }
  const { claimed, last } = assign(run, { ...inlet, at })
  // Neither has a callback.
  for (const { run: moved } of [claimed, last]) tables.runs.put(moved)
  if (last !== claimed) noteForEndpoints(tables, last)
  kept.begin(last)
  return true
}

/** Whether the next run that the session would claim of its agent is this one. */
const isNext = (
  tables: Tables,
  { at, inlet, run }: { readonly inlet: WorkInlet; readonly run: Run; readonly at: DateTime.Utc }
): boolean => {
  const session = tables.sessions.get(inlet.sessionId)
  if (session === undefined || takesNoMore(session)) return false
  const rooms = roomsOf(tables, session).filter(({ agentId }) => agentId === run.execution.agentId)
  const [next] = claimable(tables, { rooms, limit: 1, bytesMax: undefined, at })
  return next?.execution.id === run.execution.id
}

/** Gives what is created to polls of this process that wait for it, as the core's `assign` does. */
import type { Execution } from "@runhook/core/executions/Execution"
import type { AgentId } from "@runhook/core/shared/Ids"
import { assign } from "@runhook/core/runs/LeaseMoves"
import type { Change } from "@runhook/core/runs/Run"
import type { WorkInlets, WorkPlace } from "@runhook/core/runs/claim/WorkInlets"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Order from "effect/Order"
import { asStored } from "../../deliveries/queue/HandOver.ts"
import { type Creation, madeBy } from "./Creates.ts"

/** Polls that wait for what is created, at most one for each agent: for what goes first of all that is created for it. */
export type WorkPlaces = ReadonlyMap<Creation, WorkPlace>

export const workPlaces =
  (inlets: WorkInlets["Service"]) =>
  (creations: ReadonlyArray<Creation>): WorkPlaces => {
    const places = new Map<Creation, WorkPlace>()
    const agents = new Set<AgentId>()
    for (const creation of Array.sort(creations, firstServed)) {
      const { execution } = creation
      if (!isDueAtOnce(execution) || agents.has(execution.agentId)) continue
      agents.add(execution.agentId)
      const place = inlets.placeFor(execution)
      if (place !== undefined) places.set(creation, place)
    }
    return places
  }

const firstServed = Order.mapInput(Order.flip(Order.Number), ({ execution }: Creation) => execution.priority)

const isDueAtOnce = ({ concurrency, createdAt, scheduledAt, status }: Execution): boolean =>
  status === "queued" &&
  concurrency === null &&
  (scheduledAt === null || DateTime.isLessThanOrEqualTo(scheduledAt, createdAt))

/** What an execution that was created at a moment is for the poll that gets it. */
export const takenBy = (creation: Creation, { inlet }: WorkPlace, at: DateTime.Utc): Change => {
  const { run } = madeBy(creation)
  return assign({ ...run, execution: asStored(run.execution), dueAt: at }, { ...inlet, at }).last
}

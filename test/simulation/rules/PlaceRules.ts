/** Whose turn it is: agents have no more at work than they may, and concurrency keys have no more seats than their limit. */
import type { Run } from "@runhook/core/runs/Run"
import { timeOf } from "../History.ts"
import { entriesOf, type Transcript, type Rule } from "./Transcript.ts"

/** What holds a place of each group, at each moment at which one is taken. */
const overfull = function* (
  transcript: Transcript,
  group: (run: Run) => readonly [name: string, limit: number] | undefined
): Generator<string> {
  const held = new Map<string, Map<string, Run>>()
  for (const { elapsed, now, run } of entriesOf(transcript, "stored")) {
    const named = group(run)
    if (named === undefined) continue
    const [name, limit] = named
    const holders = held.get(name) ?? new Map<string, Run>()
    held.set(name, holders)
    const isTaken = run.lease !== null && !holders.has(run.execution.id)
    if (run.lease === null) holders.delete(run.execution.id)
    else holders.set(run.execution.id, run)
    const live = [...holders.values()].filter(({ lease }) => lease && lease.expiresAt.epochMilliseconds > now)
    if (isTaken && live.length > limit)
      yield `${name} has ${live.length} of ${limit} as it takes ${run.execution.id}, at ${timeOf({ elapsed })}`
  }
}

export const capacities: Rule = (transcript) => {
  const capacityOf = new Map(
    transcript.tenants.flatMap(({ agents }) => agents).map(({ capacity, id }) => [id, capacity])
  )
  return overfull(transcript, ({ execution: { agentId } }) => {
    const capacity = capacityOf.get(agentId)
    return capacity === undefined ? undefined : [`agent ${agentId}`, capacity]
  })
}

export const seats: Rule = (transcript) =>
  overfull(transcript, ({ execution: { accountId, concurrency } }) =>
    concurrency === null ? undefined : [`key ${concurrency.key} of ${accountId}`, concurrency.limit]
  )

/** Whom a change concerns, and how they are woken once it is stored. */
import * as Effect from "effect/Effect"
import { isDueSoon } from "./domain/DueTimes.ts"
import type { Change } from "./domain/Run.ts"
import { Signals, type Topic } from "./ports/Signals.ts"

/** The topics to signal after a change was stored. */
export const topicsOf = ({ changed, event, releasedFrom, run }: Change): ReadonlyArray<Topic> => {
  if (!changed) return []
  const { accountId, agentId, id, status } = run.execution
  const topics: Array<Topic> = [`execution:${id}`]
  if (status === "queued" || releasedFrom !== null) topics.push(`work:${accountId}:${agentId}`)
  const session = releasedFrom ?? run.lease?.sessionId
  if (session !== undefined) topics.push(`session:${session}`)
  if (event !== null) topics.push("deliveries")
  if (isDueSoon(run)) topics.push("sweeps")
  return topics
}

/** Signals the changes a verb has stored. */
export const announce = (changes: ReadonlyArray<Change>): Effect.Effect<void, never, Signals> =>
  Effect.flatMap(Signals, (signals) => signals.notify(changes.flatMap(topicsOf)))

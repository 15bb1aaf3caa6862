/** Who holds a lease keeps it to its end, and nobody else prolongs it. */
import { timeOf } from "../History.ts"
import type { EntryOf, Rule } from "./Transcript.ts"
import { entriesOf, pairs } from "./Transcript.ts"

type Stored = EntryOf<"stored">

/** Whether the attempt of the lease before is over, so that the work may go back to the queue. */
const isOver = ({ run: before }: Stored, { now, run: after }: Stored): boolean =>
  before.execution.status === "awaiting_input" ||
  after.execution.status !== "queued" ||
  after.completion?.epoch === before.lease?.epoch ||
  [before.lease?.expiresAt, before.deadlineAt].some((end) => end && end.epochMilliseconds <= now)

/** A lease is taken from its holder at its end, with its attempt, or as its session is closed, and not before. */
export const kept: Rule = function* (transcript) {
  const left = new Map(entriesOf(transcript, "left").map(({ elapsed, sessionId }) => [sessionId, elapsed]))
  for (const [id, stored] of Map.groupBy(entriesOf(transcript, "stored"), ({ run }) => run.execution.id))
    for (const [before, after] of pairs(stored)) {
      const { lease } = before.run
      if (lease === null || after.run.lease?.epoch === lease.epoch || isOver(before, after)) continue
      if ((left.get(lease.sessionId) ?? Infinity) > after.elapsed)
        yield `${id} was taken from ${lease.sessionId} under ${lease.epoch} before its time, at ${timeOf(after)}`
    }
}

/** A lease is prolonged only for a runner that says that it works under its epoch. */
export const prolonged: Rule = function* ({ entries }) {
  const alive = new Set<string>()
  const ends = new Map<string, number>()
  for (const entry of entries) {
    if (entry.what === "alive")
      for (const { epoch, executionId } of entry.inFlight) alive.add(`${executionId} ${epoch}`)
    if (entry.what !== "stored" || entry.run.lease === null) continue
    const { execution, lease, revision } = entry.run
    const end = lease.expiresAt.epochMilliseconds
    const before = ends.get(`${execution.id} ${revision}`)
    ends.set(`${execution.id} ${revision}`, end)
    if (before !== undefined && before < end && !alive.has(`${execution.id} ${lease.epoch}`))
      yield `${execution.id} was prolonged under ${lease.epoch}, of which no runner spoke, at ${timeOf(entry)}`
  }
}

/** What receivers may rely on, and what they hear of others. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { Execution } from "@runhook/core/executions/Execution"
import { entriesOf, type EntryOf, type Transcript, type Rule, storedRuns } from "./Transcript.ts"

const eventOf: Readonly<Record<Execution["status"], Delivery["type"] | undefined>> = {
  pending: undefined,
  queued: "execution.queued",
  running: "execution.started",
  awaiting_input: undefined,
  completed: "execution.completed",
  error: "execution.failed",
  cancelled: "execution.aborted",
  aborted: "execution.aborted"
}

const heardByEvent = (transcript: Transcript): ReadonlyMap<string, ReadonlyArray<EntryOf<"heard">>> =>
  Map.groupBy(entriesOf(transcript, "heard"), ({ event }) => event)

/** Each status that an execution entered is told once, and nothing else. */
export const statusesAnnounced: Rule = function* (transcript) {
  const events = Map.groupBy(transcript.tables.deliveries.values(), ({ executionId }) => executionId)
  for (const [id, runs] of storedRuns(transcript)) {
    if (runs[0]?.execution.callbackUrl === null) continue
    const entered = new Set(runs.flatMap(({ execution }) => eventOf[execution.status] ?? []))
    const stored = (events.get(id) ?? []).map(({ type }) => type)
    const [wanted, found] = [[...entered].toSorted().join(), stored.toSorted().join()]
    if (wanted !== found) yield `${id} was ${wanted}, and tells ${found}`
  }
}

/** What counts as delivered, its receiver took; every repetition has the same bytes. */
export const deliveredOnceAtLeast: Rule = function* (transcript) {
  const heard = heardByEvent(transcript)
  for (const { body, id, state } of transcript.tables.deliveries.values()) {
    const sent = heard.get(id) ?? []
    if (state === "delivered" && !sent.some(({ answer }) => answer === 204)) yield `${id} was never taken`
    if (sent.some((each) => each.body !== body)) yield `${id} was sent with different bytes`
  }
}

/** No event is sent before the ones before it: unless they are settled, they were sent. */
export const inOrder: Rule = function* (transcript) {
  const heard = heardByEvent(transcript)
  const settled = new Map<string, number>()
  for (const { delivery, elapsed } of entriesOf(transcript, "delivery"))
    if (delivery.state !== "pending" && !settled.has(delivery.id)) settled.set(delivery.id, elapsed)
  for (const deliveries of Map.groupBy(
    transcript.tables.deliveries.values(),
    ({ executionId }) => executionId
  ).values()) {
    const ordered = deliveries.toSorted((one, other) => (one.revision ?? 0) - (other.revision ?? 0))
    for (const [index, { id }] of ordered.entries()) {
      const sent = heard.get(id)?.[0]?.elapsed
      if (sent === undefined) continue
      for (const earlier of ordered.slice(0, index)) {
        const had = Math.min(
          heard.get(earlier.id)?.[0]?.elapsed ?? Infinity,
          settled.get(earlier.id) ?? Infinity
        )
        if (had > sent) yield `${id} overtook ${earlier.id}`
      }
    }
  }
}

/** Nothing of an account reaches the receivers of another. */
export const isolation: Rule = function* (transcript) {
  const domains = new Map(transcript.tenants.map(({ caller, domain }) => [caller.accountId, domain]))
  for (const { event, url } of entriesOf(transcript, "heard")) {
    const delivery = [...transcript.tables.deliveries.values()].find(({ id }) => id === event)
    const domain = delivery && domains.get(delivery.accountId)
    if (domain === undefined || !new URL(url).hostname.endsWith(domain)) yield `${event} went to ${url}`
  }
}

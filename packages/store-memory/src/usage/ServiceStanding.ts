/** What goes on in all accounts together, in memory. */
import { failingBy } from "@runhook/core/deliveries/steps/DeliverySteps"
import { isPresent } from "@runhook/core/runs/sessions/RunnerSession"
import { serviceCountsTo } from "@runhook/core/usage/UsageCounts"
import type { ServiceStanding, WaitingWork } from "@runhook/core/usage/UsageStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"
import type { Tables } from "../MemoryDatabase.ts"

export const serviceStandingOf = (
  tables: Tables,
  { agents, at }: { readonly at: DateTime.Utc; readonly agents: number }
): ServiceStanding => {
  const count = <Item>(items: Iterable<Item>, isCounted: (item: Item) => boolean): number =>
    Math.min(
      serviceCountsTo,
      Iterable.reduce(items, 0, (sum, item) => (isCounted(item) ? sum + 1 : sum))
    )
  const { deliveries, receivers } = tables
  const waiting = Array.fromIterable(tables.agents.keys()).flatMap((agentId) => {
    const due = Array.filter(tables.runs.index.waitingOfAgent.of(agentId), ({ dueAt }) =>
      DateTime.isLessThanOrEqualTo(dueAt, at)
    ).slice(0, serviceCountsTo)
    const [first, ...others] = due.map(({ dueAt }) => dueAt)
    return first === undefined
      ? []
      : [{ agentId, executions: due.length, oldestDueAt: others.reduce(DateTime.min, first) }]
  })
  return {
    waiting: Array.sort(waiting, longestFirst).slice(0, agents),
    runners: count(tables.sessions.values(), (session) => isPresent(session, at)),
    waitingDeliveries: count(deliveries.values(), ({ state }) => state === "pending"),
    failingDeliveries: count(deliveries.values(), (delivery) => failingBy(delivery) !== null),
    deadLetters: count(deliveries.values(), ({ state }) => state === "dead"),
    heldReceivers: count(
      receivers.values(),
      ({ heldUntil }) => heldUntil !== null && DateTime.isGreaterThan(heldUntil, at)
    ),
    artifactBytes: Iterable.reduce(tables.artifactBytes.values(), 0, (sum, bytes) => sum + bytes),
    awaitedUploads: count(tables.awaitedUploads.values(), () => true)
  }
}

const longestFirst = Order.combine(
  Order.mapInput(DateTime.Order, ({ oldestDueAt }: WaitingWork) => oldestDueAt),
  Order.mapInput(Order.String, ({ agentId }: WaitingWork) => agentId)
)

/** The topics of a change, signalled once it is stored. */
import * as Effect from "effect/Effect"
import { type ChangedKind, type ChangedThing, type ChangeWord, wordOf } from "../accounts/AccountChange.ts"
import { isFetched } from "../deliveries/Delivery.ts"
import type { AccountId, EventId } from "../shared/Ids.ts"
import { isDueSoon } from "../runs/DueTimes.ts"
import type { Change } from "../runs/Run.ts"
import type { FannedOutEvent } from "../endpoints/EndpointStore.ts"
import { Signals, type Topic } from "./Signals.ts"

/** Who made a change. A runner needs not be told of what it did itself. */
type Author = "runner" | "another"

/** The topics to signal after a change of an execution was stored. */
export const topicsOf = (change: Change, author: Author = "another"): ReadonlyArray<Topic> => {
  const {
    changed,
    deliveryId,
    event,
    hasListeners = false,
    isHandedOver = false,
    isTaken = false,
    releasedFrom,
    run
  } = change
  if (!changed) return []
  const { accountId, agentId, concurrency, id, status } = run.execution
  const topics: Array<Topic> = [`execution:${id}`]
  const isUnseated = concurrency !== null && run.lease === null
  if (isUnseated) topics.push("seats")
  if (status === "queued" && !isTaken && !isUnseated) topics.push(`work:${accountId}:${agentId}`)
  else if (releasedFrom !== null) topics.push(`room:${accountId}:${agentId}`)
  const session = releasedFrom ?? run.lease?.sessionId
  if (session !== undefined && author !== "runner") topics.push(`session:${session}`)
  if (event !== null && !isHandedOver) topics.push("deliveries")
  if (hasListeners) topics.push("endpoints")
  if (isDueSoon(run)) topics.push("sweeps")
  topics.push(changeOf(accountId, "execution", { id, state: status, isNew: run.revision === 1 }))
  if (event !== null && deliveryId !== undefined) topics.push(newDeliveryOf(accountId, deliveryId))
  return topics
}

const newDeliveryOf = (accountId: AccountId, id: EventId): ChangeWord =>
  changeOf(accountId, "delivery", { id, state: "pending", isNew: true })

/** The topics to signal after events for endpoints were stored. */
export const topicsOfEvents = (events: ReadonlyArray<FannedOutEvent>): ReadonlyArray<Topic> => [
  ...new Set(
    events.flatMap((event): ReadonlyArray<Topic> => {
      if (isFetched(event)) return [`messages:${event.endpointId}`]
      return event.isHandedOver ? [] : ["deliveries"]
    })
  ),
  ...events.map(({ accountId, id }) => newDeliveryOf(accountId, id))
]

/** Gives a function that signals stored changes. */
export const makeAnnounce = Effect.map(
  Signals,
  (signals) =>
    (changes: ReadonlyArray<Change>, author?: Author): Effect.Effect<void> =>
      signals.notify(changes.flatMap((change) => topicsOf(change, author)))
)

/** The topic for followers of the account: this thing changed, or some of its kind did. */
export const changeOf = (accountId: AccountId, kind: ChangedKind, thing: ChangedThing | null): ChangeWord =>
  wordOf({ accountId, kind, thing })

/** The topics after an operator changed a thing. The account's audit log changes with it. */
export const changedByOperator = (
  accountId: AccountId,
  kind: ChangedKind,
  thing: ChangedThing | null
): ReadonlyArray<ChangeWord> => [changeOf(accountId, kind, thing), changeOf(accountId, "audit", null)]

/** Tells endpoints of changes that were stored. */
import { announcementOf, isToldOf, type Subscription, toldBy } from "@runhook/core/endpoints/Subscription"
import type { AccountId, EndpointId, EventId } from "@runhook/core/shared/Ids"
import type { Change } from "@runhook/core/runs/Run"
import type { FannedOut, FannedOutEvent } from "@runhook/core/endpoints/EndpointStore"
import type { DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import * as Array from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"
import { storeNew } from "../deliveries/queue/StoreNew.ts"
import type { EndpointNote, Tables } from "../MemoryDatabase.ts"

/** Notes a change that is stored, if its account has endpoints; answers whether it has. */
export const noteForEndpoints = ({ endpointNotes, endpoints }: Tables, change: Change): boolean => {
  const { accountId } = change.run.execution
  if (!change.changed || change.announced === null) return false
  const enabled = Iterable.filter(
    endpoints.values(),
    (each) => each.accountId === accountId && each.isEnabled
  )
  const ids = new Set(Iterable.map(enabled, ({ id }) => id))
  if (ids.size > 0) endpointNotes.add({ change, endpoints: ids })
  return ids.size > 0
}

/** Those of the endpoints that are still there, as they are now. */
const subscriptionsOf = (tables: Tables, ids: ReadonlySet<EndpointId>): ReadonlyArray<Subscription> =>
  [...ids].flatMap((id): ReadonlyArray<Subscription> => {
    const endpoint = tables.endpoints.get(id)
    if (endpoint === undefined) return []
    if (endpoint.apiKeyId === null) return [{ ...endpoint, key: null }]
    const key = tables.apiKeys.get(endpoint.apiKeyId)
    return key === undefined ? [] : [{ ...endpoint, key }]
  })

/** The oldest executions first, and of each the changes in their order. */
const inOrder = Order.combine(
  Order.mapInput(Order.String, ({ change }: EndpointNote) => change.run.execution.id),
  Order.mapInput(Order.Number, ({ change }: EndpointNote) => change.run.revision)
)

interface FanOutOptions {
  readonly limit: number
  readonly at: DateTime.Utc
  /** Default: all accounts. */
  readonly accountId?: AccountId | undefined
  readonly inlets: DeliveryInlets["Service"]
  readonly newEventId: () => EventId
}

export const fanOut = (
  tables: Tables,
  { accountId: of, at, inlets, limit, newEventId }: FanOutOptions
): FannedOut => {
  const asked = Array.filter(
    tables.endpointNotes,
    ({ change }) => of === undefined || change.run.execution.accountId === of
  )
  const notes = Array.sort(asked, inOrder).slice(0, limit)
  const events = notes.flatMap((note): ReadonlyArray<FannedOutEvent> => {
    tables.endpointNotes.delete(note)
    const { change, endpoints } = note
    const announcement = announcementOf(change)
    if (announcement === null) return []
    const { accountId } = change.run.execution
    const told = subscriptionsOf(tables, endpoints).filter((each) => isToldOf(each, announcement))
    return told.map(({ apiKeyId, id: endpointId, url }) => {
      const event = { id: newEventId(), accountId, endpointId, apiKeyId, url }
      const place = inlets.placeForEndpoint(event, change.run.execution.id)
      const delivery = toldBy(announcement, change.run, event)
      return { ...event, isHandedOver: storeNew(tables, { at, delivery, place, stored: delivery }) }
    })
  })
  return { events, hasMore: notes.length < asked.length }
}

/** Tells endpoints of changes that were stored. */
import type { EndpointEvent } from "@runhook/core/domain/endpoint/EndpointEvent"
import {
  announcementOf,
  isToldOf,
  type Subscription,
  toldBy
} from "@runhook/core/domain/endpoint/Subscription"
import type { EndpointId, EventId } from "@runhook/core/domain/Ids"
import type { Change } from "@runhook/core/domain/run/Run"
import type { FannedOut } from "@runhook/core/ports/EndpointStore"
import * as Array from "effect/Array"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"
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

export const fanOut = (tables: Tables, limit: number, newEventId: () => EventId): FannedOut => {
  const notes = Array.sort(tables.endpointNotes, inOrder).slice(0, limit)
  const events = notes.flatMap((note): ReadonlyArray<EndpointEvent> => {
    tables.endpointNotes.delete(note)
    const { change, endpoints } = note
    const announcement = announcementOf(change)
    if (announcement === null) return []
    const { accountId } = change.run.execution
    const told = subscriptionsOf(tables, endpoints).filter((each) => isToldOf(each, announcement))
    return told.map(({ apiKeyId, id: endpointId, url }) => {
      const event = { id: newEventId(), accountId, endpointId, apiKeyId, url }
      tables.deliveries.put(toldBy(announcement, change, event))
      return event
    })
  })
  return { events, hasMore: tables.endpointNotes.size > 0 }
}

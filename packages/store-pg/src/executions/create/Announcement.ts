/** What endpoints are told of executions that are created. */
import type { EndpointEvent } from "@runhook/core/domain/endpoint/EndpointEvent"
import * as Effect from "effect/Effect"
import type { Group } from "../../batches/GroupCommit.ts"
import type { KnownEndpoints } from "../../endpoints/KnownEndpoints.ts"
import type { Told } from "../../endpoints/TellEndpoints.ts"
import { type Creation, madeBy } from "./Creation.ts"

/** The events that endpoints are told, and the revision of those endpoints. */
export interface Announcement {
  readonly endpointsAt: number
  readonly told: ReadonlyMap<Creation, ReadonlyArray<EndpointEvent>>
}

export const toldOf = ({ told }: Announcement, creations: ReadonlyArray<Creation>): ReadonlyArray<Told> =>
  creations.flatMap((creation) => {
    const own = told.get(creation)
    return own === undefined ? [] : [{ change: madeBy(creation), told: own }]
  })

/** The events of each execution, as far as this process knows the endpoints, and which accounts have any. */
export const announce = Effect.fnUntraced(function* (
  endpoints: KnownEndpoints["Service"],
  { bucket, items }: Group<Creation>
) {
  const known = yield* endpoints.of(bucket)
  const isTold = ({ execution }: Creation) => known.isTold(execution.accountId)
  const told = new Map<Creation, ReadonlyArray<EndpointEvent>>()
  for (const item of items) {
    const own = isTold(item) ? yield* endpoints.tellings(known, madeBy(item)) : []
    if (own.length > 0) told.set(item, own)
  }
  const announcement: Announcement = { endpointsAt: known.revision, told }
  return { announcement, isTold }
})

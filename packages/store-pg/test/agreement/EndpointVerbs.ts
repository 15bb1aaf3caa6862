/** What people do to endpoints, and how these are told of changes. */
import type { WebhookEndpoint } from "@runhook/core/endpoints/WebhookEndpoint"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { makeEndpoint } from "@runhook/store-testing/endpoints/EndpointFixtures"
import { plenty } from "@runhook/store-testing/Fixtures"
import * as Effect from "effect/Effect"
import { bit, type Doing } from "./Doing.ts"
import { fromEnd, keep, now } from "./Side.ts"

const endpointsMax = 3

const ends = ["execution.completed", "execution.failed"] as const

export const endpointVerbs = {
  addEndpoint: (side, { how }) =>
    Effect.gen(function* () {
      if (side.endpoints.length === endpointsMax) return
      const fields: Partial<WebhookEndpoint> = {
        eventTypes: bit(how, 0) ? ends : null,
        isEnabled: !bit(how, 1),
        createdAt: now(side)
      }
      keep(side.endpoints, yield* makeEndpoint(side.tenants[0].accountId, fields))
    }),

  changeEndpoint: (side, { how, which }) =>
    Effect.gen(function* () {
      const endpoint = fromEnd(side.endpoints, which)
      if (endpoint === undefined) return
      const change = bit(how, 0) ? { isEnabled: bit(how, 1) } : { eventTypes: bit(how, 1) ? ends : null }
      const store = yield* EndpointStore
      keep(side.endpoints, yield* store.update({ ...endpoint, apiKeyId: null }, { change, at: now(side) }))
    }),

  fanOut: (side) =>
    EndpointStore.use((store) =>
      Effect.map(store.fanOut({ limit: plenty, at: now(side) }), ({ events }) =>
        events.filter(({ accountId }) => accountId === side.tenants[0].accountId)
      )
    )
} satisfies { readonly [verb: string]: Doing }

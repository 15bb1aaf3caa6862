/** Standing endpoints of tests. */
import type { EndpointEvent } from "@runhook/core/endpoints/EndpointEvent"
import type { WebhookEndpoint } from "@runhook/core/endpoints/WebhookEndpoint"
import { newEndpoint, pollUrlOf } from "@runhook/core/endpoints/WebhookEndpoint"
import { type AccountId, EndpointId } from "@runhook/core/shared/Ids"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import * as Effect from "effect/Effect"
import { deliveriesOf, idAt, plenty, second } from "../Fixtures.ts"

/** An endpoint of the whole account that is not stored yet; one that is sent to, unless told otherwise. */
export const makeNewEndpoint = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<WebhookEndpoint> = {}
) {
  const id = yield* idAt(EndpointId, second(0))
  const kind = fields.kind ?? "push"
  const endpoint = newEndpoint(
    {
      id,
      accountId,
      apiKeyId: null,
      kind,
      url: kind === "poll" ? pollUrlOf(id) : "https://standing.example/hook?token=secret",
      description: "",
      eventTypes: null,
      taskIds: null,
      agentIds: null,
      isEnabled: true,
      removeAfterSeconds: null,
      ciphertext: "sealed"
    },
    second(0)
  )
  return { ...endpoint, ...fields }
})

export const makeEndpoint = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<WebhookEndpoint> = {}
) {
  const endpoint = yield* makeNewEndpoint(accountId, fields)
  yield* EndpointStore.use((store) => store.create(endpoint, { limit: plenty }))
  return endpoint
})

/** Tells endpoints of all changes that are noted; answers the events. */
export const fanOutAll = Effect.gen(function* () {
  const store = yield* EndpointStore
  const events: Array<EndpointEvent> = []
  for (let hasMore = true; hasMore;) {
    const round = yield* store.fanOut({ limit: 1_000, at: second(1) })
    events.push(...round.events)
    hasMore = round.hasMore
  }
  return events
})

/** The deliveries of an execution once endpoints are told of all changes. */
export const toldDeliveriesOf = (execution: Parameters<typeof deliveriesOf>[0]) =>
  Effect.andThen(fanOutAll, deliveriesOf(execution))

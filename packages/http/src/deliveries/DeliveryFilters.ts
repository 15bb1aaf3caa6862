/** Which deliveries a request means, from the wire to the port. */
import type { adminDeliveryFilter } from "@runhook/contract/deliveries/DeliveryWire"
import type { DeliveryState } from "@runhook/core/deliveries/Delivery"
import type { DeliveryFilter } from "@runhook/core/deliveries/DeliveryStore"
import type * as Schema from "effect/Schema"

type Query = Schema.Struct<typeof adminDeliveryFilter>["Type"] & {
  readonly status?: ReadonlyArray<DeliveryState>
  readonly find?: string
}

export const filterOf = (query: Query): DeliveryFilter => ({
  states: query.status ?? null,
  type: query.type ?? null,
  apiKeyId: query.key_id ?? null,
  endpointId: query.endpoint_id ?? null,
  executionId: query.execution_id ?? null,
  answer: query.answer ?? null,
  cause: query.cause ?? null,
  origin: query.url_origin ?? null,
  text: query.q ?? null,
  find: query.find ?? null,
  from: query.from ?? null,
  to: query.to ?? null
})

/** Standing endpoints and their messages, between the wire and the domain. */
import {
  type EndpointChangeBody,
  EndpointItem,
  type MessageItem
} from "@runhook/contract/endpoints/EndpointWire"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { EndpointChange, WebhookEndpoint } from "@runhook/core/endpoints/WebhookEndpoint"
import type { WebhookRequest } from "@runhook/core/signing/SignedRequest"
import { inDomainNames, showing } from "../shared/Names.ts"

export const endpointItem = showing(EndpointItem)<WebhookEndpoint>({
  url: ({ kind, url }) => (kind === "poll" ? null : url),
  enabled: ({ isEnabled }) => isEnabled,
  key_id: ({ apiKeyId }) => apiKeyId
})

export const endpointChange = ({
  enabled,
  url = null,
  ...body
}: typeof EndpointChangeBody.Type): EndpointChange => ({
  ...inDomainNames(body),
  ...(url !== null && { url }),
  ...(enabled !== undefined && { isEnabled: enabled })
})

export const messageItem = ({
  delivery,
  request
}: {
  readonly delivery: Delivery
  readonly request: WebhookRequest
}): typeof MessageItem.Type => ({
  message_id: delivery.id,
  attempt: delivery.attempts,
  headers: request.headers,
  body: request.body
})

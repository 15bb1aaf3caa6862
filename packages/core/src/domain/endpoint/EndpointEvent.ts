/** An event that is stored for an endpoint beside a change, under an id of its own. */
import type { ApiKeyId, EndpointId, EventId } from "../Ids.ts"

export interface EndpointEvent {
  readonly id: EventId
  readonly endpointId: EndpointId
  readonly apiKeyId: ApiKeyId | null
  readonly url: string
}

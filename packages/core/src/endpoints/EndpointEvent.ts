/** An event that a standing endpoint is told, under an id of its own. */
import type { AccountId, ApiKeyId, EndpointId, EventId } from "../shared/Ids.ts"

export interface EndpointEvent {
  readonly id: EventId
  readonly accountId: AccountId
  readonly endpointId: EndpointId
  readonly apiKeyId: ApiKeyId | null
  readonly url: string
}

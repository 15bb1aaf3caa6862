/** The messages of a poll endpoint, one after the other. */
import type { ClientTypes, IntegrationClient } from "./Client.ts"
import { webhookEndpointsAcknowledge, webhookEndpointsFetch } from "./Integration.generated.ts"

export const endpointMessages = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * The messages of a poll endpoint, as they come, without an end. A message is acknowledged once the next one is
   * asked for; one whose handling fails comes again.
   *
   * @example
   * ```ts
   * for await (const { body } of runhook.webhooks.endpoints.messages(id)) console.log(body)
   * ```
   */
  messages: (id: string, options?: T["waitOptions"]) =>
    client.messages({
      fetch: webhookEndpointsFetch(id, { limit: 10, wait: 30 }, options),
      acknowledge: (ids) => webhookEndpointsAcknowledge(id, ids, options)
    })
})

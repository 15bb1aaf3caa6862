/** Try out a webhook receiver, and keep standing endpoints. What a receiver itself needs is in `@runhook/sdk/webhooks`. */
import type { TestWebhook, TestWebhookQueued } from "../wire/Integration.ts"
import type { Client, ClientTypes, IntegrationClient } from "./Client.ts"
import { post } from "./Describe.ts"
import { endpoints } from "./Endpoints.ts"

export const webhookCalls = <T extends ClientTypes, Body extends TestWebhook = TestWebhook>(
  client: Client<T>
) => ({
  /**
   * Has a signed `webhook.test` event sent to a URL.
   *
   * @example
   * ```ts
   * await runhook.webhooks.test({ callback_url })
   * ```
   */
  test: (body: Body, options?: T["options"]) =>
    client.call<TestWebhookQueued>(post("/webhooks/test", body, options))
})

interface WithEndpoints<T extends ClientTypes> {
  /** Standing endpoints: receivers of the events of many executions. */
  readonly endpoints: ReturnType<typeof endpoints<T>>
}

export const webhooks = <T extends ClientTypes>(
  client: IntegrationClient<T>
): ReturnType<typeof webhookCalls<T>> & WithEndpoints<T> => ({
  ...webhookCalls<T>(client),
  endpoints: endpoints(client)
})

/** Try out a webhook receiver. What a receiver itself needs is in `@runhook/sdk/webhooks`. */
import type { TestWebhook, TestWebhookQueued } from "../wire/Integration.ts"
import type { Client, ClientTypes } from "./Client.ts"
import { post } from "./Describe.ts"

export const webhooks = <T extends ClientTypes, Body extends TestWebhook = TestWebhook>(
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

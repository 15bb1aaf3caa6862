/** Try out a webhook receiver. What a receiver itself needs is in `@runhook/sdk/webhooks`. */
import type { Call } from "../call/Answer.ts"
import type { Send } from "../call/Send.ts"
import type { CallOptions } from "../call/Settings.ts"
import type { TestWebhook, TestWebhookQueued } from "../wire/Integration.ts"

export const makeWebhooks = (send: Send) => ({
  /**
   * Has a signed `webhook.test` event sent to a URL.
   *
   * @example
   * ```ts
   * await runhook.webhooks.test({ callback_url })
   * ```
   */
  test: (body: TestWebhook, options?: CallOptions): Call<TestWebhookQueued> =>
    send({ method: "POST", path: "/webhooks/test", body }, options)
})

export type Webhooks = ReturnType<typeof makeWebhooks>

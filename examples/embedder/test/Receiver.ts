/** A receiver of callbacks, which answers 200 to whatever is genuine. */
import { EventEmitter, once } from "node:events"
import { createServer } from "node:http"
import { nodeWebhookHandler, type WebhookEvent } from "@runhook/sdk/webhooks"
import { listen } from "@runhook/test-support/receivers/Listening"

export const startReceiver = async () => {
  const news = new EventEmitter()
  const received: Array<WebhookEvent> = []
  const secrets: Array<string> = []
  const server = createServer((request, response) => {
    const receive = nodeWebhookHandler({
      secrets,
      onEvent: (event) => {
        received.push(event)
        news.emit("event")
      }
    })
    void receive(request, response)
  })
  const listening = await listen(server)
  return {
    ...listening,
    url: `${listening.origin}/callbacks`,
    received,

    /** Believes what is signed with that secret. */
    trust: (secret: string) => void secrets.push(secret),

    /** The event of that type about an order, once it was received. */
    event: async (type: string, reference: string): Promise<WebhookEvent> => {
      for (;;) {
        const found = received.find((event) => event.type === type && event.reference === reference)
        if (found !== undefined) return found
        await once(news, "event")
      }
    }
  }
}

/** The callbacks that the service sends: as the document's webhooks, and beside the calls that ask for them. */
import { WebhookEventType } from "@runhook/core/deliveries/WebhookEventType"
import { header, type Part } from "./Document.ts"

const summaries: { readonly [Type in WebhookEventType]: string } = {
  "execution.queued": "An execution enters queued status",
  "execution.started": "An execution enters running status",
  "execution.completed": "An execution finishes successfully",
  "execution.failed": "An execution ends with error status",
  "execution.aborted": "An execution ends with aborted or cancelled status",
  "webhook.test": "A test of a receiver"
}

const signed = (name: string, description: string, pattern: string) => ({
  ...header(name, description, { pattern }),
  required: true
})

const headers = [
  signed(
    "X-Webhook-Timestamp",
    "Unix time of the attempt in seconds; part of what is signed.",
    "^[1-9][0-9]{9,10}$"
  ),
  signed(
    "X-Webhook-Signature",
    "HMAC-SHA256 of the raw body followed by the timestamp, keyed with the signing secret, in lower-case hex.",
    "^[0-9a-f]{64}$"
  ),
  signed(
    "X-Webhook-Event-Id",
    "The same as `event_id`: an event may come more than once.",
    "^[0-9a-f-]{36}$"
  ),
  signed("X-Webhook-Attempt", "Counts the attempts to deliver the event, from 1.", "^[1-9][0-9]*$"),
  signed("webhook-id", "The event's id, after Standard Webhooks.", "^[0-9a-f-]{36}$"),
  signed("webhook-timestamp", "The timestamp, after Standard Webhooks.", "^[1-9][0-9]{9,10}$"),
  signed(
    "webhook-signature",
    "A signature per valid secret, after Standard Webhooks.",
    "^v1,\\S+( v1,\\S+)*$"
  ),
  header(
    "traceparent",
    "The trace in which the execution was created, by W3C Trace Context; absent if it was created in none.",
    { pattern: "^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$" }
  )
]

const operationOf = (type: string, summary: string, schema: string) => ({
  tags: ["webhooks"],
  operationId: `on.${type}`,
  summary,
  description:
    "Sent to the `callback_url`, signed with the signing secret of the key. It may come more than once, with the same event id and body.",
  security: [],
  parameters: headers,
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: { $ref: `#/components/schemas/${schema}` } }
    }
  },
  responses: {
    "200": { description: "Received. Answer promptly: any other status, and silence, is tried again." },
    "401": { description: "The signature is not valid." }
  }
})

const schemaOf = (type: WebhookEventType) => (type === "webhook.test" ? "TestEvent" : "ExecutionEvent")

const webhooks = Object.fromEntries(
  WebhookEventType.literals.map((type) => [
    type,
    { post: operationOf(type, summaries[type], schemaOf(type)) }
  ])
)

/** Annotates an endpoint whose body names the URL. Generators leave out what only webhooks name. */
export const callsBack =
  (type: string, summary: string, schema: "ExecutionEvent" | "TestEvent") =>
  (operation: Part): Part => ({
    ...operation,
    callbacks: {
      [type]: { "{$request.body#/callback_url}": { post: operationOf(`callback.${type}`, summary, schema) } }
    }
  })

/** Adds the webhooks; the schemas of their bodies are components already. */
export const describeWebhooks = (document: Part): Part => ({ ...document, webhooks })

/** `@runhook/sdk/webhooks`: what a receiver of callbacks needs, for every runtime with Web Crypto. */
export {
  type Dedupe,
  type DedupeState,
  type NodeRequest,
  nodeWebhookHandler,
  type NodeResponse,
  type ReceiverOptions,
  webhookHandler
} from "./Receiver.ts"
export type { Secrets } from "./Secrets.ts"
export { signTest } from "./SignTest.ts"
export {
  verifyWebhook,
  type WebhookHeaders,
  WebhookRejectedError,
  type WebhookRejectedReason
} from "./Verify.ts"
export type { EventExecution, ExecutionEvent, TestEvent, WebhookEvent } from "../wire/Integration.ts"

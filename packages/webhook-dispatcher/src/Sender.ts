/** Sends one attempt of a delivery over the network and answers its result. */
import type { DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import type { WebhookRequest } from "@runhook/core/signing/SignedRequest"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** The part of an attempt that the network decides. It succeeded when `error` is null. */
export type AttemptResult = Omit<
  DeliveryAttempt,
  "deliveryId" | "round" | "number" | "startedAt" | "durationMs"
>

export class Sender extends Context.Service<
  Sender,
  {
    /**
     * Sends the request once, within bounds of time and size, and follows no
     * redirect. Never fails: what goes wrong on the way is the result.
     */
    send(request: WebhookRequest): Effect.Effect<AttemptResult>
  }
>()("@runhook/webhook-dispatcher/Sender") {}

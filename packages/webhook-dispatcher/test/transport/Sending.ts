/** Sends webhooks in tests. */
import { testOn } from "@runhook/test-support/TestOn"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layer } from "../../src/HttpSender.ts"
import { Sender } from "../../src/Sender.ts"
import { agentOnInternet, agentOnLoopback } from "./Network.ts"

/** Where this machine may be reached. */
export const onLoopback = layer.pipe(Layer.provide(agentOnLoopback))

export const test = testOn(onLoopback)

/** Where public addresses only may be reached. */
export const onInternet = layer.pipe(Layer.provide(agentOnInternet))

export const send = Effect.fnUntraced(function* (url: string) {
  const sender = yield* Sender
  return yield* sender.send({ url, headers: { "X-Webhook-Attempt": "1" }, body: `{"event":"é"}` })
})

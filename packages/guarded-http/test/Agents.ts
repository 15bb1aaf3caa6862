/** Agents for tests, and requests by them. */
import { parse, strict, type TargetPolicy } from "@runhook/core/shared/target/TargetPolicy"
import { CallbackTargets } from "@runhook/core/Settings"
import { GuardedAgent, type GuardedAgentOptions } from "@runhook/guarded-http/GuardedAgent"
import { names } from "@runhook/test-support/receivers/Names"
import { testOn } from "@runhook/test-support/TestOn"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"

export const loopbackAllowed: TargetPolicy = Result.getOrThrow(parse("127.0.0.0/8,::1"))

export const agent = (options: { readonly policy: TargetPolicy } & GuardedAgentOptions) =>
  GuardedAgent.layer(options).pipe(Layer.provide([names, Layer.succeed(CallbackTargets, options.policy)]))

/** Reaches this machine only. */
export const onLoopback = agent({ policy: loopbackAllowed })

export const test = testOn(onLoopback)

/** Reaches public addresses only. */
export const onInternet = agent({ policy: strict })

/** Bytes of a body that `send` reads. */
export const bodyMax = 16 * 1024

/** Posts to the URL, and reads the answer as text. */
export const send = Effect.fnUntraced(function* (url: string) {
  const guarded = yield* GuardedAgent
  const headers = { "content-type": "application/json" }
  const answer = yield* guarded.request({ method: "POST", url, headers, body: `{"event":"é"}`, bodyMax })
  return { ...answer, text: new TextDecoder().decode(answer.body) }
})

/** Agents for tests: their names resolve as told, under a policy. */
import { parse, strict, type TargetPolicy } from "@runhook/core/shared/target/TargetPolicy"
import { CallbackTargets } from "@runhook/core/Settings"
import { GuardedAgent, type GuardedAgentOptions } from "@runhook/guarded-http/GuardedAgent"
import { names } from "@runhook/test-support/receivers/Names"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"

export const loopbackAllowed: TargetPolicy = Result.getOrThrow(parse("127.0.0.0/8,::1"))

export const agent = (options: { readonly policy: TargetPolicy } & GuardedAgentOptions) =>
  GuardedAgent.layer(options).pipe(Layer.provide([names, Layer.succeed(CallbackTargets, options.policy)]))

export const agentOnLoopback = agent({ policy: loopbackAllowed })
export const agentOnInternet = agent({ policy: strict })

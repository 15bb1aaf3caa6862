/** What the transport needs in tests: names that resolve as told, and a policy. */
import { CallbackTargets } from "@runhook/core/CallbackTargets"
import { parse, strict, type TargetPolicy } from "@runhook/core/domain/target/TargetPolicy"
import * as Layer from "effect/Layer"
import { layerStatic } from "effect/net/Dns"
import * as Result from "effect/Result"
import { GuardedAgent, type GuardedAgentOptions } from "../../src/transport/GuardedAgent.ts"

export const loopbackAllowed: TargetPolicy = Result.getOrThrow(parse("127.0.0.0/8,::1"))

/** Names of this test's own, none of which leaves the machine. */
export const names = layerStatic({
  hosts: {
    "hooks.example.com": ["127.0.0.1"],
    "mixed.example.com": ["93.184.215.14", "10.0.0.8"],
    "twice.example.com": ["93.184.215.14", "93.184.215.15"]
  }
})

export const agent = (options: { readonly policy: TargetPolicy } & GuardedAgentOptions) =>
  GuardedAgent.layer(options).pipe(Layer.provide([names, Layer.succeed(CallbackTargets, options.policy)]))

export const agentOnLoopback = agent({ policy: loopbackAllowed })
export const agentOnInternet = agent({ policy: strict })

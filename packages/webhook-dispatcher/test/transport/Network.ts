/** What the transport needs in tests: names that resolve as told, and a policy. */
import { parse, strict, type TargetPolicy } from "@runhook/core/domain/target/TargetPolicy"
import { CallbackTargets } from "@runhook/core/Settings"
import { GuardedAgent, type GuardedAgentOptions } from "@runhook/guarded-http/GuardedAgent"
import * as Layer from "effect/Layer"
import { layerStatic, makeRecordUnsafe } from "effect/net/Dns"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"

export const loopbackAllowed: TargetPolicy = Result.getOrThrow(parse("127.0.0.0/8,::1"))

/** DNS records for an address, written as text. */
export const record = (text: string) => {
  const address = NetAddress.ipFromStringUnsafe(text)
  return NetAddress.isIpv4Address(address)
    ? makeRecordUnsafe("A", { address })
    : makeRecordUnsafe("AAAA", { address })
}

/** Names of this test's own, none of which leaves the machine. */
export const names = layerStatic({
  records: {
    "hooks.example.com": [record("127.0.0.1")],
    "mixed.example.com": [record("2606:4700::1"), record("93.184.215.14"), record("10.0.0.8")],
    "twice.example.com": [record("93.184.215.14"), record("93.184.215.15")],
    "public.example.com": [record("93.184.215.14")]
  },
  // What only the system knows, by its hosts file.
  hosts: { "build.internal": ["127.0.0.1"], "hosted.example.com": ["93.184.215.14"] }
})

export const agent = (options: { readonly policy: TargetPolicy } & GuardedAgentOptions) =>
  GuardedAgent.layer(options).pipe(Layer.provide([names, Layer.succeed(CallbackTargets, options.policy)]))

export const agentOnLoopback = agent({ policy: loopbackAllowed })
export const agentOnInternet = agent({ policy: strict })

/**
 * Asks the machine's name servers, again after 600 ms, and for 1.8 s in all. That
 * is less than an attempt has, so a receiver is reached even if its servers never
 * answer for the other family of addresses.
 */
import * as NodeDns from "@effect/platform-node/NodeDns"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Dns } from "effect/net/Dns"

export const layer: Layer.Layer<Dns> = Layer.effect(
  Dns,
  Effect.orDie(NodeDns.make({ timeout: Duration.millis(600), tries: 2 }))
)

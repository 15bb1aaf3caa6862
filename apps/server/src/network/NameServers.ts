/**
 * Asks the name servers of the machine, a second time after 600 ms and for 1.8 s
 * in all: less than an attempt has, so that a receiver is reached whose servers
 * never answer for the other family of addresses.
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

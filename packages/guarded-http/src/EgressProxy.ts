/**
 * Reaches public addresses through an HTTP proxy, in a network that lets nothing
 * else out. It asks the proxy for the judged address, never for a name, since the
 * proxy might resolve it differently. Private addresses that the operator allows
 * are on this side of the proxy, and dialled directly.
 */
import { request } from "node:http"
import { isIPv6 } from "node:net"
import { addressAllowed } from "@runhook/core/shared/target/AddressPolicy"
import { strict } from "@runhook/core/shared/target/TargetPolicy"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Dial, dialDirectly, portOf } from "./Dialer.ts"
import { ProxyFailed } from "./TransportFailure.ts"

/** Dials through the proxy at this URL, `http://user:password@host:port`. */
export const dialThrough = (proxy: Redacted.Redacted<URL>): Dial => {
  const { hostname, password, port, username } = Redacted.value(proxy)
  const credentials = username === "" ? {} : { "proxy-authorization": basic(username, password) }

  const tunnel: Dial = (target, address) =>
    Effect.callback((resume) => {
      const authority = `${isIPv6(address) ? `[${address}]` : address}:${portOf(target)}`
      const headers = { host: authority, ...credentials }
      const options = { host: hostname.replace(/^\[|\]$/g, ""), port: port || 80, agent: false, headers }
      const asking = request({ ...options, method: "CONNECT", path: authority })
        .once("error", () => resume(Effect.fail(new ProxyFailed({ status: null }))))
        .once("connect", ({ statusCode = null }, socket) => {
          // The next owner handles its errors only from then on.
          socket.on("error", () => undefined)
          if (statusCode === 200) return resume(Effect.succeed({ socket, address }))
          socket.destroy()
          resume(Effect.fail(new ProxyFailed({ status: statusCode })))
        })
      asking.end()
      return Effect.sync(() => asking.destroy())
    })

  return (target, address) =>
    addressAllowed(address, strict) ? tunnel(target, address) : dialDirectly(target, address)
}

const basic = (username: string, password: string): string => {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(pair).toString("base64")}`
}

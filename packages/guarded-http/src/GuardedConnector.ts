/**
 * Opens connections, only to addresses that the policy allows. A name is resolved
 * once, and the judged addresses are the dialled ones, so a name that answers
 * differently the second time gains nothing.
 */
import { isIP, type Socket } from "node:net"
import { checkAddress } from "@runhook/core/shared/target/CallbackUrl"
import { CallbackTargets } from "@runhook/core/Settings"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import { Dns } from "effect/net/Dns"
import type { buildConnector } from "undici"
import type { Connection } from "./Connection.ts"
import type { Dial, Secure, Target } from "./Dialer.ts"
import { addressesOf } from "./NameResolution.ts"
import { type TimeLimits, within } from "./TimeLimits.ts"
import { Disconnected } from "./TransportFailure.ts"

/** Addresses of one host that are tried in turn. */
const addressesMax = 4

export interface GuardedConnectorOptions {
  readonly dial: Dial
  readonly secure: Secure
  readonly timeLimits: TimeLimits
}

/**
 * Connectors for undici, each for one connection, that dial once the policy agrees.
 * All connecting ends with the scope.
 */
export const make = Effect.fnUntraced(function* ({ dial, secure, timeLimits }: GuardedConnectorOptions) {
  const dns = yield* Dns
  const policy = yield* CallbackTargets
  const run = yield* FiberSet.makeRuntime<never, Socket, Error>()

  const resolved = Effect.fnUntraced(function* ({ hostname }: Target, url: URL, connection: Connection) {
    if (isIP(hostname) !== 0) return Arr.of(hostname)
    connection.stopwatch.begin("dns")
    const addresses = yield* addressesOf(url, policy).pipe(
      Effect.provideService(Dns, dns),
      within(timeLimits, "dns")
    )
    connection.stopwatch.stop()
    return addresses
  })

  const reach = Effect.fnUntraced(function* (target: Target, address: string, connection: Connection) {
    connection.address = address
    connection.stopwatch.begin("connect")
    const dialled = yield* dial(target, address)
    return yield* Effect.gen(function* () {
      // The last check: whatever came between, this is the peer.
      yield* Effect.fromResult(checkAddress({ url: urlOf(target), address: dialled.address }, policy))
      if (target.protocol !== "https:") return dialled.socket
      connection.stopwatch.begin("tls")
      return yield* secure(target, dialled.socket)
    }).pipe(Effect.onError(() => Effect.sync(() => dialled.socket.destroy())))
  })

  const connect = Effect.fnUntraced(function* (target: Target, connection: Connection) {
    const url = urlOf(target)
    const addresses = yield* resolved(target, url, connection)
    yield* Effect.forEach(addresses, (address) => Effect.fromResult(checkAddress({ url, address }, policy)), {
      discard: true
    })
    const tries = addresses.slice(0, addressesMax).map((address) => reach(target, address, connection))
    const socket = yield* Effect.firstSuccessOf(tries).pipe(within(timeLimits, "connect"))
    connection.opened(socket)
    return socket
  })

  return (connection: Connection): buildConnector.connector =>
    (target, callback) => {
      run(
        Effect.ensuring(
          connect(target, connection),
          Effect.sync(() => connection.stopwatch.stop())
        )
      ).addObserver(
        Exit.match({
          // A client that is given a closed socket waits for it to close.
          onSuccess: (socket) =>
            socket.destroyed ? callback(new Disconnected({}), null) : callback(null, socket),
          onFailure: (cause) => callback(errorOf(cause), null)
        })
      )
    }
})

/** The host keeps its brackets if it is IPv6, and its port if it is not the default. */
const urlOf = ({ host, hostname, protocol }: Target): URL => new URL(`${protocol}//${host ?? hostname}`)

const errorOf = (cause: Cause.Cause<Error>): Error => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error : new Error("interrupted")
}

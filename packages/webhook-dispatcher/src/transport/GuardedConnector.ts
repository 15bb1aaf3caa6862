/**
 * Opens connections, and only to addresses that policy allows. A name is
 * resolved once; the addresses judged are the ones dialled, so a name that
 * answers differently the second time gains nothing.
 */
import { isIP, type Socket } from "node:net"
import { CallbackTargets } from "@runhook/core/CallbackTargets"
import { checkAddress } from "@runhook/core/domain/target/CallbackUrl"
import type { TargetRefused } from "@runhook/core/domain/target/TargetRefused"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import { Dns } from "effect/net/Dns"
import * as NetAddress from "effect/net/NetAddress"
import type { buildConnector } from "undici"
import { type TimeLimits, within } from "./TimeLimits.ts"
import { NameUnresolved } from "./TransportFailure.ts"

/** Addresses of one host that are tried in turn, in the order of the resolver. */
const addressesMax = 4

type Target = buildConnector.Options

/** A connector for undici that dials by another one once policy agrees. Its connections end with the scope. */
export const make = Effect.fnUntraced(function* (options: {
  readonly dial: buildConnector.connector
  readonly timeLimits: TimeLimits
}) {
  const { dial, timeLimits } = options
  const dns = yield* Dns
  const policy = yield* CallbackTargets
  const run = yield* FiberSet.makeRuntime<never, Socket, Error>()

  const check = (target: Target, address: string): Effect.Effect<void, TargetRefused> =>
    Effect.fromResult(checkAddress({ url: urlOf(target), address }, policy))

  const addressesOf = (hostname: string) =>
    isIP(hostname) === 0
      ? dns.lookup(hostname).pipe(
          Effect.map(Arr.map(NetAddress.formatIp)),
          Effect.mapError(() => new NameUnresolved({})),
          within(timeLimits, "dns")
        )
      : Effect.succeed(Arr.of(hostname))

  const dialChecked = Effect.fnUntraced(function* (target: Target, address: string) {
    const socket = yield* dialled(dial, { ...target, hostname: address })
    // The last word: whatever came between, this is who is at the other end.
    yield* check(target, socket.remoteAddress ?? "").pipe(
      Effect.tapError(() => Effect.sync(() => socket.destroy()))
    )
    return socket
  })

  const connect = Effect.fnUntraced(function* (target: Target) {
    const addresses = yield* addressesOf(target.hostname)
    yield* Effect.forEach(addresses, (address) => check(target, address), { discard: true })
    return yield* Effect.firstSuccessOf(
      addresses.slice(0, addressesMax).map((address) => dialChecked(target, address))
    ).pipe(within(timeLimits, "connect"))
  })

  const connector: buildConnector.connector = (target, callback) => {
    run(connect(target)).addObserver(
      Exit.match({
        onSuccess: (socket) => callback(null, socket),
        onFailure: (cause) => callback(errorOf(cause), null)
      })
    )
  }
  return connector
})

/** The host keeps its brackets when it is IPv6, and its port when that is not the usual one. */
const urlOf = ({ host, hostname, protocol }: Target): URL => new URL(`${protocol}//${host ?? hostname}`)

const dialled = (dial: buildConnector.connector, target: Target): Effect.Effect<Socket, Error> =>
  Effect.callback((resume) => {
    let isAbandoned = false
    dial(target, (error, socket) => {
      if (error !== null) resume(Effect.fail(error))
      else if (isAbandoned) socket.destroy()
      else resume(Effect.succeed(socket))
    })
    return Effect.sync(() => {
      isAbandoned = true
    })
  })

const errorOf = (cause: Cause.Cause<Error>): Error => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error : new Error("interrupted")
}

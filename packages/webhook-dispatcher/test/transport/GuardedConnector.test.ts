import { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { CallbackTargets } from "@runhook/core/CallbackTargets"
import { strict, type TargetPolicy } from "@runhook/core/domain/target/TargetPolicy"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Dns from "effect/net/Dns"
import * as NetAddress from "effect/net/NetAddress"
import { TestClock } from "effect/testing"
import type { buildConnector } from "undici"
import * as GuardedConnector from "../../src/transport/GuardedConnector.ts"
import { timeLimitsDefault } from "../../src/transport/TimeLimits.ts"
import { loopbackAllowed, names } from "./Network.ts"

/** A socket that was never opened, and says who it would be connected to. */
class SocketTo extends Socket {
  override readonly remoteAddress: string

  constructor(address: string) {
    super()
    this.remoteAddress = address
  }
}

/** Dials nothing: writes down what it was asked to dial, and says it got through to where it is told. */
const recording = (options: { readonly reaches?: string; readonly fails?: ReadonlyArray<string> } = {}) => {
  const dialled: Array<string> = []
  const sockets: Array<Socket> = []
  const dial: buildConnector.connector = (target, callback) => {
    dialled.push(target.hostname)
    if (options.fails?.includes(target.hostname)) return callback(new Error("unreachable"), null)
    const socket = new SocketTo(options.reaches ?? target.hostname)
    sockets.push(socket)
    callback(null, socket)
  }
  return { dial, dialled, sockets }
}

const connect = Effect.fnUntraced(function* (options: {
  readonly origin: string
  readonly dial: buildConnector.connector
  readonly policy?: TargetPolicy
}) {
  const url = new URL(options.origin)
  const connector = yield* GuardedConnector.make({ dial: options.dial, timeLimits: timeLimitsDefault }).pipe(
    Effect.provideService(CallbackTargets, options.policy ?? strict)
  )
  return yield* Effect.callback<Socket, Error>((resume) => {
    connector(
      {
        hostname: url.hostname.replace(/^\[|\]$/g, ""),
        host: url.host,
        protocol: url.protocol,
        port: url.port
      },
      (error, socket) => resume(error === null ? Effect.succeed(socket) : Effect.fail(error))
    )
  })
})

describe("GuardedConnector", () => {
  for (const origin of [
    "http://127.0.0.1",
    "http://2130706433",
    "http://0x7f.1",
    "http://[::1]",
    "http://[::ffff:127.0.0.1]",
    "https://169.254.169.254",
    "https://10.1.2.3:8443"
  ]) {
    it.effect(`refuses ${origin} without dialling`, () =>
      Effect.gen(function* () {
        const { dial, dialled } = recording()

        const error = yield* Effect.flip(connect({ origin, dial }))

        assert.strictEqual(error.name, "TargetRefused")
        assert.deepStrictEqual(dialled, [])
      }).pipe(Effect.provide(names))
    )
  }

  for (const name of ["hooks.example.com", "mixed.example.com"]) {
    it.effect(`refuses ${name}, one of whose addresses is forbidden, without dialling`, () =>
      Effect.gen(function* () {
        const { dial, dialled } = recording()

        const error = yield* Effect.flip(connect({ origin: `https://${name}`, dial }))

        assert.strictEqual(error.name, "TargetRefused")
        assert.deepStrictEqual(dialled, [])
      }).pipe(Effect.provide(names))
    )
  }

  it.effect("dials the address it has judged, though the name would resolve differently by then", () =>
    Effect.gen(function* () {
      const { dial, dialled } = recording()
      const answers = ["93.184.215.14", "127.0.0.1"]
      const rebinding = Dns.make({
        lookup: () => Effect.sync(() => [NetAddress.ipFromStringUnsafe(answers.shift() ?? "127.0.0.1")])
      })

      yield* connect({ origin: "https://rebinding.example.com", dial }).pipe(
        Effect.provideService(Dns.Dns, rebinding)
      )

      assert.deepStrictEqual(dialled, ["93.184.215.14"])
      assert.deepStrictEqual(answers, ["127.0.0.1"])
    })
  )

  it.effect("closes a connection that ended up at a forbidden address", () =>
    Effect.gen(function* () {
      const { dial, sockets } = recording({ reaches: "10.0.0.8" })

      const error = yield* Effect.flip(connect({ origin: "https://twice.example.com", dial }))

      assert.strictEqual(error.name, "TargetRefused")
      assert.isTrue(sockets.every(({ destroyed }) => destroyed))
    }).pipe(Effect.provide(names))
  )

  it.effect("tries the next address when one does not answer", () =>
    Effect.gen(function* () {
      const { dial, dialled } = recording({ fails: ["93.184.215.14"] })

      const socket = yield* connect({ origin: "https://twice.example.com", dial })

      assert.strictEqual(socket.remoteAddress, "93.184.215.15")
      assert.deepStrictEqual(dialled, ["93.184.215.14", "93.184.215.15"])
    }).pipe(Effect.provide(names))
  )

  it.effect("reaches what the operator allows", () =>
    Effect.gen(function* () {
      const { dial, dialled } = recording()

      yield* connect({ origin: "http://hooks.example.com:8700", dial, policy: loopbackAllowed })

      assert.deepStrictEqual(dialled, ["127.0.0.1"])
    }).pipe(Effect.provide(names))
  )

  it.effect("reports a name that does not resolve", () =>
    Effect.gen(function* () {
      const { dial } = recording()

      const error = yield* Effect.flip(connect({ origin: "https://nowhere.example.com", dial }))

      assert.strictEqual(error.name, "NameUnresolved")
    }).pipe(Effect.provide(names))
  )

  it.effect("gives up on a resolver that does not answer", () =>
    Effect.gen(function* () {
      const { dial } = recording()
      const silent = Dns.make({ lookup: () => Effect.never })
      const connecting = yield* connect({ origin: "https://slow.example.com", dial }).pipe(
        Effect.provideService(Dns.Dns, silent),
        Effect.flip,
        Effect.forkChild({ startImmediately: true })
      )

      yield* TestClock.adjust(timeLimitsDefault.dns)

      assert.strictEqual((yield* Fiber.join(connecting)).message, "The host name was not resolved in time")
    })
  )

  it.effect("gives up on a connection that does not come about, and closes one that comes too late", () =>
    Effect.gen(function* () {
      const late = new SocketTo("93.184.215.14")
      const arrivals: Array<() => void> = []
      const connecting = yield* connect({
        origin: "https://93.184.215.14",
        dial: (_target, callback) => arrivals.push(() => callback(null, late))
      }).pipe(Effect.flip, Effect.forkChild({ startImmediately: true }))

      yield* TestClock.adjust(timeLimitsDefault.connect)
      arrivals.forEach((arrive) => arrive())

      assert.strictEqual((yield* Fiber.join(connecting)).message, "No connection was made in time")
      assert.isTrue(late.destroyed)
    }).pipe(Effect.provide(names))
  )
})

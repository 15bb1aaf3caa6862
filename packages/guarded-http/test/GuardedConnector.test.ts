import { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { parse, strict, type TargetPolicy } from "@runhook/core/shared/target/TargetPolicy"
import { CallbackTargets } from "@runhook/core/Settings"
import { Connection } from "@runhook/guarded-http/Connection"
import type { Dial, Secure } from "@runhook/guarded-http/Dialer"
import * as GuardedConnector from "@runhook/guarded-http/GuardedConnector"
import { timeLimitsDefault } from "@runhook/guarded-http/TimeLimits"
import { names, record } from "@runhook/test-support/receivers/Names"
import { testOn } from "@runhook/test-support/TestOn"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Dns from "effect/net/Dns"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { loopbackAllowed } from "./Agents.ts"

const test = testOn(names)

class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {}) {}

/** Dials nothing: writes down what it was asked to dial, and says it got through to where it is told. */
const recording = (options: { readonly reaches?: string; readonly fails?: ReadonlyArray<string> } = {}) => {
  const dialled: Array<string> = []
  const sockets: Array<Socket> = []
  const dial: Dial = (_target, address) =>
    Effect.suspend(() => {
      dialled.push(address)
      if (options.fails?.includes(address)) return Effect.fail(new Unreachable())
      const socket = new Socket()
      sockets.push(socket)
      return Effect.succeed({ socket, address: options.reaches ?? address })
    })
  return { dial, dialled, sockets }
}

const insecure: Secure = (_target, socket) => Effect.succeed(socket)

const connect = Effect.fnUntraced(function* (options: {
  readonly origin: string
  readonly dial: Dial
  readonly secure?: Secure
  readonly policy?: TargetPolicy
}) {
  const url = new URL(options.origin)
  const connection = new Connection(yield* Clock.Clock)
  const connectorFor = yield* GuardedConnector.make({
    dial: options.dial,
    secure: options.secure ?? insecure,
    timeLimits: timeLimitsDefault
  }).pipe(Effect.provideService(CallbackTargets, options.policy ?? strict))
  yield* Effect.callback<Socket, Error>((resume) => {
    connectorFor(connection)(
      {
        hostname: url.hostname.replace(/^\[|\]$/g, ""),
        host: url.host,
        protocol: url.protocol,
        port: url.port
      },
      (error, socket) => resume(error === null ? Effect.succeed(socket) : Effect.fail(error))
    )
  })
  return connection
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
    test(`refuses ${origin} without dialling`, function* () {
      const { dial, dialled } = recording()

      const error = yield* Effect.flip(connect({ origin, dial }))

      assert.strictEqual(error.name, "TargetRefused")
      assert.deepStrictEqual(dialled, [])
    })
  }

  for (const name of ["hooks.example.com", "mixed.example.com"]) {
    test(`refuses ${name}, one of whose addresses is forbidden, without dialling`, function* () {
      const { dial, dialled } = recording()

      const error = yield* Effect.flip(connect({ origin: `https://${name}`, dial }))

      assert.strictEqual(error.name, "TargetRefused")
      assert.deepStrictEqual(dialled, [])
    })
  }

  it.effect("dials the address it has judged, though the name would resolve differently by then", () =>
    Effect.gen(function* () {
      const { dial, dialled } = recording()
      const answers = ["93.184.215.14", "127.0.0.1"]
      const rebinding = Dns.make({
        lookup: () => Effect.succeed([]),
        resolve: (_name, type) =>
          Effect.sync(() => (type === "A" ? [record(answers.shift() ?? "127.0.0.1")] : []))
      })

      yield* connect({ origin: "https://rebinding.example.com", dial }).pipe(
        Effect.provideService(Dns.Dns, rebinding)
      )

      assert.deepStrictEqual(dialled, ["93.184.215.14"])
      assert.deepStrictEqual(answers, ["127.0.0.1"])
    })
  )

  test("closes a connection that ended up at a forbidden address", function* () {
    const { dial, sockets } = recording({ reaches: "10.0.0.8" })

    const error = yield* Effect.flip(connect({ origin: "https://twice.example.com", dial }))

    assert.strictEqual(error.name, "TargetRefused")
    assert.isTrue(sockets.every(({ destroyed }) => destroyed))
  })

  test("tries the next address when one does not answer", function* () {
    const { dial, dialled } = recording({ fails: ["93.184.215.14"] })

    const { address } = yield* connect({ origin: "https://twice.example.com", dial })

    assert.strictEqual(address, "93.184.215.15")
    assert.deepStrictEqual(dialled, ["93.184.215.14", "93.184.215.15"])
  })

  test("reaches what the operator allows", function* () {
    const { dial, dialled } = recording()

    yield* connect({ origin: "http://hooks.example.com:8700", dial, policy: loopbackAllowed })

    assert.deepStrictEqual(dialled, ["127.0.0.1"])
  })

  test("reports a name that does not resolve", function* () {
    const { dial } = recording()

    const error = yield* Effect.flip(connect({ origin: "https://nowhere.example.com", dial }))

    assert.strictEqual(error.name, "NameUnresolved")
  })

  it.effect("gives up on a resolver that does not answer", () =>
    Effect.gen(function* () {
      const { dial } = recording()
      const silent = Dns.make({ lookup: () => Effect.never, resolve: () => Effect.never })
      const connecting = yield* connect({ origin: "https://slow.example.com", dial }).pipe(
        Effect.provideService(Dns.Dns, silent),
        Effect.flip,
        Effect.forkChild({ startImmediately: true })
      )

      yield* TestClock.adjust(timeLimitsDefault.dns)

      assert.strictEqual((yield* Fiber.join(connecting)).message, "The host name was not resolved in time")
    })
  )

  test("gives up on a connection that does not come about, and stops dialling", function* () {
    const stopped = yield* Queue.unbounded<string>()
    const connecting = yield* connect({
      origin: "https://93.184.215.14",
      dial: (_target, address) => Effect.onInterrupt(Effect.never, () => Queue.offer(stopped, address))
    }).pipe(Effect.flip, Effect.forkChild({ startImmediately: true }))

    yield* TestClock.adjust(timeLimitsDefault.connect)

    assert.strictEqual((yield* Fiber.join(connecting)).message, "No connection was made in time")
    assert.strictEqual(yield* Queue.take(stopped), "93.184.215.14")
  })

  test("hands over no connection that is closed already", function* () {
    const error = yield* Effect.flip(
      connect({
        origin: "http://93.184.215.14",
        dial: (_target, address) => Effect.sync(() => ({ socket: new Socket().destroy(), address }))
      })
    )

    assert.strictEqual(error.message, "The receiver closed the connection")
  })

  test("closes a connection whose handshake fails or does not end", function* () {
    const { dial, sockets } = recording()
    const origin = "https://93.184.215.14"
    yield* Effect.flip(connect({ origin, dial, secure: () => Effect.fail(new Unreachable()) }))
    const waiting = yield* connect({ origin, dial, secure: () => Effect.never }).pipe(
      Effect.flip,
      Effect.forkChild({ startImmediately: true })
    )

    yield* TestClock.adjust(timeLimitsDefault.connect)
    yield* Fiber.join(waiting)

    assert.deepStrictEqual(
      sockets.map(({ destroyed }) => destroyed),
      [true, true]
    )
  })

  test("asks the system, which reads the hosts file, for names that the operator allows and for no other", function* () {
    const { dial, dialled } = recording()
    const policy = Result.getOrThrow(parse("build.internal"))

    yield* connect({ origin: "http://build.internal", dial, policy })
    const error = yield* Effect.flip(connect({ origin: "http://hosted.example.com", dial, policy }))

    assert.deepStrictEqual(dialled, ["127.0.0.1"])
    assert.strictEqual(error.name, "NameUnresolved")
  })

  it.effect("is not held up by other names whose servers do not answer", () =>
    Effect.gen(function* () {
      const { dial, dialled } = recording()
      const mostlySilent = Dns.make({
        lookup: () => Effect.never,
        resolve: (name, type) =>
          name === "public.example.com"
            ? Effect.succeed(type === "A" ? [record("93.184.215.14")] : [])
            : Effect.never
      })
      yield* Effect.gen(function* () {
        yield* connect({ origin: "https://silent.example.com", dial }).pipe(
          Effect.replicateEffect(256, { concurrency: "unbounded", discard: true }),
          Effect.forkChild({ startImmediately: true })
        )

        yield* connect({ origin: "https://public.example.com", dial })

        assert.deepStrictEqual(dialled, ["93.184.215.14"])
      }).pipe(Effect.provideService(Dns.Dns, mostlySilent))
    })
  )

  it.effect("measures each part of connecting", () =>
    Effect.gen(function* () {
      const resolver = Dns.make({
        lookup: () => Effect.succeed([]),
        resolve: (_name, type) =>
          Effect.delay(Effect.succeed(type === "A" ? [record("93.184.215.14")] : []), 10)
      })
      const connecting = yield* connect({
        origin: "https://public.example.com",
        dial: (_target, address) => Effect.delay(Effect.succeed({ socket: new Socket(), address }), 20),
        secure: (_target, socket) => Effect.delay(Effect.succeed(socket), 30)
      }).pipe(Effect.provideService(Dns.Dns, resolver), Effect.forkChild({ startImmediately: true }))

      yield* TestClock.adjust(60)

      const { stopwatch } = yield* Fiber.join(connecting)
      assert.deepStrictEqual(
        [stopwatch.millis("dns"), stopwatch.millis("connect"), stopwatch.millis("tls")],
        [10, 20, 30]
      )
    })
  )
})

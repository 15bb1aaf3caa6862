import { assert, describe } from "@effect/vitest"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { Sender } from "../../src/Sender.ts"
import { beginning, current, makeDelivery, makeDispatcher, makeKey, test } from "../World.ts"
import { answered, passing, scripted } from "./Scripted.ts"

const url = "https://hooks.example.com/hook?token=very-secret"
const hour = 3_600_000

/** Is down for as long, and well after that. */
const downFor = (millis: number) =>
  scripted(() => Effect.map(Clock.currentTimeMillis, (now) => answered(now < beginning + millis ? 500 : 200)))

describe("An outage of a receiver", () => {
  test("lets no delivery die and burns hardly an attempt, however many wait", function* () {
    const { record } = yield* makeKey()
    const { sender } = downFor(hour)
    const deliveries = yield* Effect.replicateEffect(makeDelivery(record, url), 100)
    yield* makeDispatcher().pipe(Effect.provideService(Sender, sender))

    yield* passing(4_200)

    const states = yield* Effect.forEach(deliveries, current)
    const failures = states.flatMap(({ attempts }) => attempts.filter(({ error }) => error !== null))
    assert.isTrue(states.every(({ delivery }) => delivery.state === "delivered"))
    assert.isAtMost(failures.length, 40)
  })

  test("is probed by one delivery at a time, whatever the number of dispatchers", function* () {
    const { record } = yield* makeKey()
    const { requests, sender } = downFor(hour)
    yield* Effect.replicateEffect(makeDelivery(record, url), 50)
    yield* Effect.replicateEffect(makeDispatcher(), 3).pipe(Effect.provideService(Sender, sender))
    yield* passing(1)
    const before = requests.length

    yield* passing(13)

    assert.strictEqual(requests.length, before + 1)
  })

  test("is told of once when it begins and once when it ends, without path, query or body", function* () {
    const { record } = yield* makeKey()
    const { sender } = downFor(hour / 6)
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel !== "Debug") lines.push(`${logLevel} ${String(message)}`)
    })
    yield* Effect.replicateEffect(makeDelivery(record, url), 50)
    yield* makeDispatcher().pipe(
      Effect.provideService(Sender, sender),
      Effect.provideService(Logger.CurrentLoggers, new Set([logger]))
    )

    yield* passing(1_200)

    assert.deepStrictEqual(
      lines.map((line) => line.replace(/for (?:\d+m)? ?(?:\d+s)?$/, "for …")),
      [
        "Warn The webhook receiver https://hooks.example.com fails: it is left alone for …",
        "Info The webhook receiver https://hooks.example.com is back"
      ]
    )
  })

  test("does not end in a herd: what waited comes forward within thirty seconds", function* () {
    const { record } = yield* makeKey()
    const times: Array<number> = []
    const { sender } = scripted(() =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (now < beginning + 60_000) return answered(500)
        times.push(now)
        return answered(200)
      })
    )
    yield* Effect.replicateEffect(makeDelivery(record, url), 300)
    yield* makeDispatcher().pipe(Effect.provideService(Sender, sender))

    yield* passing(300)

    const [back = 0] = times
    const late = times.filter((time) => time > back + 32_000)
    const seconds = new Set(times.map((time) => Math.floor((time - back) / 1_000)))
    assert.strictEqual(times.length, 300)
    assert.deepStrictEqual(late, [])
    assert.isAbove(seconds.size, 20)
  })

  test("leaves the receivers of others alone", function* () {
    const { record } = yield* makeKey()
    const { sender } = scripted(({ url: to }) => Effect.succeed(answered(to === url ? 500 : 200)))
    yield* Effect.replicateEffect(makeDelivery(record, url), 20)
    const other = yield* Effect.replicateEffect(makeDelivery(record, "https://other.example.com/hook"), 20)
    yield* makeDispatcher().pipe(Effect.provideService(Sender, sender))

    yield* passing(1)

    const states = yield* Effect.forEach(other, current)
    assert.isTrue(states.every(({ delivery }) => delivery.state === "delivered"))
  })

  test("that comes with Retry-After pauses all that waits for the receiver", function* () {
    const { record } = yield* makeKey()
    const { requests, sender } = scripted(() => Effect.succeed(answered(503, { "retry-after": "600" })))
    yield* makeDelivery(record, url)
    yield* makeDispatcher().pipe(Effect.provideService(Sender, sender))
    yield* passing(1)
    yield* Effect.replicateEffect(makeDelivery(record, url), 20)

    yield* passing(540)

    assert.lengthOf(requests, 1)
    yield* passing(90)
    assert.isAbove(requests.length, 1)
  })

  test("opens the breaker although the receiver asks for no pause worth the name", function* () {
    const { record } = yield* makeKey()
    const { requests, sender } = scripted(() => Effect.succeed(answered(503, { "retry-after": "0" })))
    yield* Effect.replicateEffect(makeDelivery(record, url), 50)
    yield* makeDispatcher().pipe(Effect.provideService(Sender, sender))

    yield* passing(7)

    assert.isAtMost(requests.length, 8)
  })

  test("is not what a delivery means that the dispatcher cannot even send: it fails alone", function* () {
    const { record } = yield* makeKey()
    const poison = yield* makeDelivery(record, url)
    const deliveries = yield* Effect.replicateEffect(makeDelivery(record, url), 20)
    const { sender } = scripted(({ headers }) =>
      headers["webhook-id"] === poison.id ? Effect.die(new Error("a bug")) : Effect.succeed(answered(200))
    )
    yield* makeDispatcher().pipe(Effect.provideService(Sender, sender))

    yield* passing(60)

    const { attempts, delivery } = yield* (yield* DeliveryStore).get(record.accountId, poison.id)
    const others = yield* Effect.forEach(deliveries, current)
    assert.strictEqual(delivery.state, "pending")
    assert.deepStrictEqual(
      attempts.map(({ error }) => error),
      ["The dispatcher failed to send", "The dispatcher failed to send", "The dispatcher failed to send"]
    )
    assert.isTrue(others.every((other) => other.delivery.state === "delivered"))
  })
})

/** What a test of an alert target tells of it, whatever its channel does. */
import { assert, describe } from "@effect/vitest"
import { AlertChannels } from "@runhook/core/alerts/AlertChannels"
import { ServiceKeys } from "@runhook/core/Settings"
import { Alerts } from "@runhook/core/alerts/Alerts"
import { newRing } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"

type Post = Effect.Effect<string | null>

/** The use cases over a channel that does this with each webhook. */
const alertsBy = (post: Post) =>
  Layer.fresh(Alerts.layer).pipe(
    Layer.provide(
      Layer.succeed(AlertChannels, {
        sendsMail: false,
        pageUrl: null,
        post: () => post,
        mail: () => Effect.die("it sends no mails")
      })
    )
  )

const target = {
  channel: "webhook",
  address: "https://hooks.example.com/alerts",
  kinds: null,
  pausedUntil: null
} as const

const tested = (post: Post) =>
  Effect.gen(function* () {
    const { accountId: owner } = (yield* makeTenant()).caller
    const alerts = yield* Alerts
    const { id } = (yield* alerts.addTarget({ ...target, owner })).target
    const testing = yield* Effect.forkChild(alerts.testTarget({ owner, id }), { startImmediately: true })
    yield* TestClock.adjust("20 seconds")
    return yield* Fiber.join(testing)
  }).pipe(Effect.provide(alertsBy(post)))

describe("a test of an alert target", () => {
  test.each([
    { what: "it was taken", post: Effect.succeed(null), said: null },
    { what: "it was refused", post: Effect.succeed("It answered 500"), said: "It answered 500" },
    { what: "nobody answers", post: Effect.never, said: "It took longer than 20 seconds" },
    { what: "the service cannot send", post: Effect.die("a bad socket"), said: "The service failed to send" }
  ])("tells when $what", function* ({ post, said }) {
    assert.strictEqual(yield* tested(post), said)
  })

  test("tells that its secret is sealed under a key that is not there", function* () {
    const { accountId: owner } = (yield* makeTenant()).caller
    const { id } = (yield* (yield* Alerts).addTarget({ ...target, owner })).target

    const said = yield* Alerts.use((alerts) => alerts.testTarget({ owner, id })).pipe(
      Effect.provide(alertsBy(Effect.succeed(null))),
      Effect.provideService(ServiceKeys, [newRing[0]])
    )

    assert.match(said ?? "", /sealed under a secret key that is not configured/)
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { verifyWebhook, type WebhookEvent } from "../../src/effect/Runhook.ts"
import { signTest } from "../../src/webhooks/Webhooks.ts"

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const sentAt = 1_800_000_000_000
const event: WebhookEvent = {
  event_id: "e-1",
  type: "webhook.test",
  occurred_at: "2027-01-15T08:00:00.000Z",
  request_id: "req_1",
  reference: "webhook-test",
  metadata: {},
  execution: null,
  message: "Hello"
}

/** A callback that is received now. */
const received = Effect.tap(
  Effect.promise(() => signTest(event, { secret, now: new Date(sentAt) })),
  () => TestClock.setTime(sentAt)
)

describe("verifyWebhook", () => {
  it.effect("gives the event that one of the secrets signed", () =>
    Effect.gen(function* () {
      const callback = yield* received

      const verified = yield* verifyWebhook({
        ...callback,
        secrets: [Redacted.make("whsec_old"), Redacted.make(secret)]
      })

      assert.deepStrictEqual(verified, event)
    })
  )

  it.effect("rejects what another secret signed, and shows no secret", () =>
    Effect.gen(function* () {
      const callback = yield* received

      const error = yield* Effect.flip(verifyWebhook({ ...callback, secrets: Redacted.make("whsec_hush") }))

      assert.deepStrictEqual([error._tag, error.reason], ["WebhookRejectedError", "signature_mismatch"])
      assert.notInclude(JSON.stringify(error) + String(error), "hush")
    })
  )

  it.effect("rejects what is old by the program's clock", () =>
    Effect.gen(function* () {
      const callback = yield* received
      yield* TestClock.adjust("301 seconds")

      const error = yield* Effect.flip(verifyWebhook({ ...callback, secrets: Redacted.make(secret) }))

      assert.strictEqual(error.reason, "timestamp_out_of_tolerance")
    })
  )

  it.effect("dies of a secret that is empty, which anybody could sign with", () =>
    Effect.gen(function* () {
      const callback = yield* received

      const exit = yield* Effect.exit(verifyWebhook({ ...callback, secrets: [] }))

      assert.isTrue(Exit.hasDies(exit))
    })
  )
})

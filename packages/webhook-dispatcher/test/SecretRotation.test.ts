/** What becomes of events that wait while the secret of their key is rotated. */
import { assert, describe } from "@effect/vitest"
import { parse } from "@runhook/core/signing/SigningSecret"
import { verify } from "@runhook/core/signing/WebhookSignature"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { answering, type Received, start } from "@runhook/test-support/receivers/Receiver"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { makeDelivery, makeDispatcher, makeKey, test } from "./World.ts"

const waiting = 200

/** Whether a receiver that knows this secret believes the callback. */
const isBelieved = (secret: Redacted.Redacted, { body, headers }: Received): boolean =>
  Result.isSuccess(
    verify([Result.getOrThrow(parse(Redacted.value(secret)))], {
      body,
      timestamp: headers["x-webhook-timestamp"],
      signature: headers["x-webhook-signature"],
      eventId: headers["x-webhook-event-id"],
      receivedAt: DateTime.makeUnsafe(Number(headers["x-webhook-timestamp"]) * 1_000)
    })
  )

describe("a rotation of the signing secret", () => {
  test.each([
    { mode: "immediate", signer: "the new secret" },
    { mode: "staged", signer: "the old secret, which is still the active one" }
  ] as const)("$mode: events that waited are signed by $signer", function* ({ mode }) {
    const { record, signingSecret } = yield* makeKey()
    const { received, url } = yield* start(answering(200))
    yield* Effect.replicateEffect(makeDelivery(record, url), waiting)
    const keys = yield* ApiKeys
    const rotated = yield* keys.rotateSigningSecret(record, { mode, overlap: Duration.hours(1) })

    yield* makeDispatcher()

    const callbacks = yield* Queue.takeN(received, waiting)
    const [active, other] =
      mode === "immediate" ? [rotated.signingSecret, signingSecret] : [signingSecret, rotated.signingSecret]
    assert.isTrue(callbacks.every((callback) => isBelieved(active, callback)))
    assert.isFalse(callbacks.some((callback) => isBelieved(other, callback)))
  })
})

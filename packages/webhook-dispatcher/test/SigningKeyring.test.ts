import { assert, describe, it } from "@effect/vitest"
import { newId, SigningSecretId } from "@runhook/core/shared/Ids"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import * as SigningKeyring from "@runhook/core/keys/SigningKeyring"
import { ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { seal } from "@runhook/core/signing/SecretBox"
import * as SigningSecret from "@runhook/core/signing/SigningSecret"
import { ApiKeys, signingSecretPurpose } from "@runhook/core/keys/ApiKeys"
import { WebhookEndpoints } from "@runhook/core/endpoints/WebhookEndpoints"
import { newEndpoint } from "@runhook/test-support/engine/Tenant"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { makeDelivery, makeKey, test, world } from "./World.ts"

const url = "http://127.0.0.1:8700/hook"

/** The keys of secrets in a form that can be compared. */
const exported = (keys: ReadonlyArray<SigningSecret.SigningKeys>) =>
  keys.map(({ whole }) => whole.export().toString("utf8"))

describe("SigningKeyring", () => {
  test("signs with the new secret as soon as the rotation is over", function* () {
    const { record, signingSecret } = yield* makeKey()
    const delivery = yield* makeDelivery(record, url)
    const keysFor = yield* SigningKeyring.make
    const at = yield* DateTime.now
    const before = yield* keysFor(delivery, at)
    const immediately = { mode: "immediate", overlap: Duration.zero } as const

    const first = yield* (yield* ApiKeys).rotateSigningSecret(record, immediately)
    const afterFirst = yield* keysFor(delivery, at)
    const second = yield* (yield* ApiKeys).rotateSigningSecret(record, immediately)
    const afterSecond = yield* keysFor(delivery, at)

    assert.deepStrictEqual(
      [before, afterFirst, afterSecond].map(exported),
      [signingSecret, first.signingSecret, second.signingSecret].map((secret) => [Redacted.value(secret)])
    )
  })

  test("sees a rotation whose signal was lost within two seconds", function* () {
    const { record, signingSecret } = yield* makeKey()
    const delivery = yield* makeDelivery(record, url)
    const unheard = yield* Layer.build(Layer.fresh(InProcessSignals.layer))
    const keysFor = yield* Effect.provide(SigningKeyring.make, unheard)
    const before = yield* keysFor(delivery, yield* DateTime.now)
    const keys = yield* ApiKeys
    const rotated = yield* keys.rotateSigningSecret(record, { mode: "immediate", overlap: Duration.zero })
    const meanwhile = yield* keysFor(delivery, yield* DateTime.now)

    yield* TestClock.adjust("2 seconds")

    const after = yield* keysFor(delivery, yield* DateTime.now)
    assert.deepStrictEqual([before, meanwhile].map(exported), [
      [Redacted.value(signingSecret)],
      [Redacted.value(signingSecret)]
    ])
    assert.deepStrictEqual(exported(after), [Redacted.value(rotated.signingSecret)])
  })

  test("takes the newest secret when all have ended since the event", function* () {
    const { record } = yield* makeKey()
    const delivery = yield* makeDelivery(record, url)
    const text = yield* SigningSecret.generate
    const id = yield* newId(SigningSecretId)
    const at = yield* DateTime.now
    const end = DateTime.addDuration(at, "1 hour")
    yield* (yield* ApiKeyStore).rotateSigningSecret({
      accountId: record.accountId,
      id: record.id,
      secret: {
        id,
        apiKeyId: record.id,
        ciphertext: yield* seal(yield* ServiceKeys, { purpose: signingSecretPurpose, id }, text),
        activeAt: DateTime.addDuration(at, "1 minute"),
        expiresAt: end,
        createdAt: at
      },
      previousExpiresAt: end
    })
    const keysFor = yield* SigningKeyring.make

    yield* TestClock.adjust("2 hours")

    assert.deepStrictEqual(exported(yield* keysFor(delivery, yield* DateTime.now)), [text])
  })

  it.effect("signs by both secrets of an endpoint as long as they overlap, and by none once it is gone", () =>
    Effect.gen(function* () {
      const { record } = yield* makeKey()
      const { accountId } = record
      const endpoints = yield* WebhookEndpoints
      const made = yield* endpoints.create(newEndpoint(record))
      const ref = { accountId, apiKeyId: null, id: made.endpoint.id }
      const delivery = { ...(yield* makeDelivery(record, url)), endpointId: ref.id }
      const keysFor = yield* SigningKeyring.make
      const now = Effect.flatMap(DateTime.now, (at) => keysFor(delivery, at))
      const before = yield* now

      const rotated = yield* endpoints.rotate(ref, Duration.minutes(1))
      const during = yield* now
      yield* TestClock.adjust("1 minute")
      const after = yield* now
      yield* endpoints.remove(ref)
      const error = yield* Effect.flip(now)

      const [first, second] = [Redacted.value(made.secret), Redacted.value(rotated.secret)]
      assert.deepStrictEqual([before, during, after].map(exported), [[first], [second, first], [second]])
      assert.strictEqual(error.message, "The endpoint was removed")
    }).pipe(Effect.provide(Layer.provideMerge(WebhookEndpoints.layer, world)))
  )

  test("says that a secret is sealed under a key that is not there, and not which secret it is", function* () {
    const { record, signingSecret } = yield* makeKey()
    const delivery = yield* makeDelivery(record, url)
    const otherRing = Result.getOrThrow(KeyRing.parse(yield* KeyRing.generate))
    const keysFor = yield* SigningKeyring.make.pipe(Effect.provideService(ServiceKeys, otherRing))

    const error = yield* Effect.flip(keysFor(delivery, yield* DateTime.now))

    assert.strictEqual(error._tag, "SealBroken")
    assert.notInclude(error.message, Redacted.value(signingSecret))
  })
})

import { assert, describe } from "@effect/vitest"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import { signersAt } from "@runhook/core/keys/SigningSecretRecord"
import { SecretKeyRotation } from "@runhook/core/keys/sealing/SecretKeyRotation"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { SealedValues } from "@runhook/core/keys/sealing/SealedValues"
import { Pepper } from "@runhook/core/keys/sealing/Pepper"
import { endpointSecretPurpose } from "@runhook/core/keys/SigningKeyring"
import { ServiceKeys } from "@runhook/core/Settings"
import type { KeyRing } from "@runhook/core/signing/KeyRing"
import { open } from "@runhook/core/signing/SecretBox"
import { Alerts } from "@runhook/core/alerts/Alerts"
import { alertSecretPurpose } from "@runhook/core/alerts/AlertSender"
import { ApiKeys, signingSecretPurpose } from "@runhook/core/keys/ApiKeys"
import { Authentication } from "@runhook/core/keys/Authentication"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { WebhookEndpoints } from "@runhook/core/endpoints/WebhookEndpoints"
import { newRing, oldRing } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { makeTenant, newEndpoint, newKey } from "@runhook/test-support/engine/Tenant"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"

/** The ring once the older key was removed from the setting. */
const newestOnly: KeyRing = [newRing[0]]

/** As another process of the service, or this one after a restart, with that ring and the same stores. */
const under = (ring: KeyRing) =>
  Layer.fresh(Layer.merge(Authentication.layer, SecretKeyRotation.layer)).pipe(
    Layer.provideMerge(Layer.succeed(ServiceKeys, ring))
  )

const passUnder = (ring: KeyRing) =>
  Effect.flatMap(SecretKeyRotation, ({ pass }) => pass).pipe(Effect.provide(under(ring)))

const makeKey = Effect.fnUntraced(function* () {
  const { caller } = yield* makeTenant()
  return yield* (yield* ApiKeys).create(newKey(caller))
})

/** The secrets of a key that this ring opens. */
const openedBy = Effect.fnUntraced(function* (ring: KeyRing, { accountId, id }: ApiKeyRecord) {
  const at = yield* DateTime.now
  const secrets = yield* (yield* ApiKeyStore).signingSecrets({ accountId, id, at })
  return yield* Effect.forEach(signersAt(secrets, at), (secret) =>
    Effect.fromResult(open(ring, { purpose: signingSecretPurpose, id: secret.id }, secret.ciphertext))
  )
})

describe("replacing the secret key", () => {
  test("leaves every key valid and every secret readable once the older key is gone", function* () {
    const { key, record, signingSecret } = yield* makeKey()
    const runner = yield* (yield* RunnerKeys).create({ ...record, name: "Machine room", agentIds: null })

    yield* passUnder(newRing)

    const found = yield* Effect.gen(function* () {
      const authentication = yield* Authentication
      return [yield* authentication.apiKey(key), yield* authentication.runnerKey(runner.key)]
    }).pipe(Effect.provide(under(newestOnly)))
    assert.deepStrictEqual(found, [record, runner.record])
    assert.deepStrictEqual(yield* openedBy(newestOnly, record), [Redacted.value(signingSecret)])
  })

  test("refuses to start without the key that the pepper is sealed under", function* () {
    const error = yield* Effect.flip(
      Layer.build(Layer.fresh(Pepper.layer)).pipe(Effect.provideService(ServiceKeys, newestOnly))
    )

    assert.strictEqual(
      error.message,
      "The pepper of this service cannot be opened: it was sealed under a secret key that is not configured"
    )
  })
})

describe("the log of a start with two secret keys", () => {
  test("has nobody remove the new one, neither before nor after it comes first", function* () {
    yield* makeKey()
    const [newest, old] = newRing
    assert.isDefined(old)
    const rings: ReadonlyArray<KeyRing> = [[old, newest], newRing]

    const logs = yield* Effect.forEach(rings, (ring) => {
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      const start = Layer.build(SecretKeyRotation.layerAtStart).pipe(
        Effect.andThen(TestClock.adjust("1 second")),
        Effect.provide(under(ring)),
        Effect.provideService(Logger.CurrentLoggers, new Set([logger]))
      )
      return Effect.as(start, lines)
    })

    const advice = ({ id }: KeyRing[0]) =>
      `Nothing is sealed under the secret keys after the first, ${id}: keep a new one, which is to come first at the next start; remove an old one once every process has this order`
    assert.deepStrictEqual(logs, [
      [advice(newest)],
      [`Sealed 2 secrets again under the first secret key, ${newest.id}`, advice(old)]
    ])
  })
})

describe("SecretKeyRotation.pass", () => {
  test("seals each secret anew, however many there are, and then none", function* () {
    const { record } = yield* makeKey()
    const keys = yield* ApiKeys
    const rotation = { mode: "staged", overlap: Duration.hours(1) } as const
    yield* Effect.replicateEffect(keys.rotateSigningSecret(record, rotation), 249)
    const before = yield* openedBy(oldRing, record)

    const passed = yield* passUnder(newRing)

    const [newest, older] = newRing
    assert.isDefined(older)
    const said = { newestKeyId: newest.id, olderKeyIds: [older.id], broken: 0 }
    // The tenant of the test has a key, and so a secret, of its own.
    assert.deepStrictEqual(passed, { ...said, resealed: 251 })
    assert.deepStrictEqual(yield* openedBy(newestOnly, record), before)
    assert.deepStrictEqual(yield* passUnder(newRing), { ...said, resealed: 0 })
  })

  test("seals the secrets of endpoints and of alert targets too, also that of an overlap", function* () {
    const { caller } = yield* makeTenant()
    const { accountId } = caller
    const endpoints = yield* WebhookEndpoints
    const { endpoint, secret: first } = yield* endpoints.create(newEndpoint(caller))
    const ref = { accountId, apiKeyId: null, id: endpoint.id }
    const { secret: second } = yield* endpoints.rotate(ref, Duration.hours(1))
    const alerts = yield* Alerts
    const target = {
      owner: accountId,
      channel: "webhook",
      address: endpoint.url,
      kinds: null,
      pausedUntil: null
    } as const
    const { secret: ofTarget } = yield* alerts.addTarget(target)

    const passed = yield* passUnder(newRing)

    // That of the tenant's key is the fourth.
    assert.deepInclude(passed, { resealed: 4, broken: 0 })
    const { ciphertext, previousCiphertext } = yield* (yield* EndpointStore).get(ref)
    const ofEndpoint = { purpose: endpointSecretPurpose, id: endpoint.id }
    const seals = [
      { row: ofEndpoint, sealed: ciphertext },
      { row: ofEndpoint, sealed: previousCiphertext },
      ...(yield* alerts.targets(accountId)).map(({ ciphertext: sealed, id }) => ({
        row: { purpose: alertSecretPurpose, id },
        sealed
      }))
    ]
    assert.deepStrictEqual(
      seals.map(({ row, sealed }) => open(newestOnly, row, sealed ?? "")),
      [second, first, ofTarget].map((secret) => Result.succeed(secret === null ? "" : Redacted.value(secret)))
    )
    assert.strictEqual((yield* passUnder(newRing)).resealed, 0)
  })

  test("may be made by several processes at once", function* () {
    const made = yield* Effect.replicateEffect(makeKey(), 30)

    const passed = yield* Effect.replicateEffect(passUnder(newRing), 4, { concurrency: "unbounded" })

    assert.deepStrictEqual(
      passed.map(({ broken }) => broken),
      [0, 0, 0, 0]
    )
    const opened = yield* Effect.forEach(made, ({ record }) => openedBy(newestOnly, record))
    assert.deepStrictEqual(
      opened.flat(),
      made.map(({ signingSecret }) => Redacted.value(signingSecret))
    )
  })

  test("leaves alone what no configured key opens, counts it, and goes on to the rest", function* () {
    const { record, signingSecret } = yield* makeKey()
    const other = yield* makeKey()
    const [secret] = yield* (yield* ApiKeyStore).signingSecrets({ ...record, at: yield* DateTime.now })
    assert.isDefined(secret)
    const { ciphertext: sealed, id } = secret
    const values = yield* SealedValues
    const value = { kind: "signingSecret", accountId: null, id, sealed } as const
    const lost = { ...value, sealed: "v1.0000000000000000.lost" }
    yield* values.reseal(value, lost.sealed)

    const { broken } = yield* passUnder(newRing)

    assert.strictEqual(broken, 1)
    assert.deepStrictEqual(yield* openedBy(newestOnly, other.record), [Redacted.value(other.signingSecret)])
    yield* values.reseal(lost, sealed)
    assert.strictEqual((yield* passUnder(newRing)).resealed, 1)
    assert.deepStrictEqual(yield* openedBy(newestOnly, record), [Redacted.value(signingSecret)])
  })
})

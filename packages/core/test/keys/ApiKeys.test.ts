import { assert, describe } from "@effect/vitest"
import { AccountId, newId } from "@runhook/core/shared/Ids"
import { signersAt } from "@runhook/core/keys/SigningSecretRecord"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { ServiceKeys } from "@runhook/core/Settings"
import { open } from "@runhook/core/signing/SecretBox"
import {
  type ApiKeyRef,
  ApiKeys,
  type SigningSecretRotation,
  signingSecretPurpose
} from "@runhook/core/keys/ApiKeys"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import { makeTenant, newKey } from "@runhook/test-support/engine/Tenant"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"

const oneHour = Duration.hours(1)

/** A key as it is shown at its creation. */
const makeKey = Effect.fnUntraced(function* () {
  const { caller } = yield* makeTenant()
  return yield* (yield* ApiKeys).create(newKey(caller))
})

/** The secrets that sign now, the active one first. */
const signersOf = Effect.fnUntraced(function* ({ accountId, id }: ApiKeyRef) {
  const at = yield* DateTime.now
  const ring = yield* ServiceKeys
  const secrets = yield* (yield* ApiKeyStore).signingSecrets({ accountId, id, at })
  return yield* Effect.forEach(signersAt(secrets, at), (secret) =>
    Effect.fromResult(open(ring, { purpose: signingSecretPurpose, id: secret.id }, secret.ciphertext))
  )
})

const rotate = Effect.fnUntraced(function* (ref: ApiKeyRef, mode: SigningSecretRotation) {
  return yield* (yield* ApiKeys).rotateSigningSecret(ref, { mode, overlap: oneHour })
})

describe("ApiKeys.create", () => {
  test("shows the key and its signing secret, and stores neither as it is", function* () {
    const { key, record, signingSecret } = yield* makeKey()
    const shown = [key, signingSecret].map(Redacted.value)

    const at = yield* DateTime.now
    const secrets = yield* (yield* ApiKeyStore).signingSecrets({ ...record, at })
    const stored = JSON.stringify([yield* (yield* ApiKeys).get(record), secrets])

    assert.match(shown[0] ?? "", new RegExp(`^rhlive_${record.prefix}_`))
    assert.match(shown[1] ?? "", /^whsec_/)
    for (const secret of shown) {
      assert.notInclude(stored, secret)
      assert.notInclude(stored, secret.slice(-20))
    }
    assert.deepStrictEqual(yield* signersOf(record), [Redacted.value(signingSecret)])
  })

  test("never prints what it shows", function* () {
    const { key, signingSecret } = yield* makeKey()

    const printed = JSON.stringify({ key, signingSecret }) + String(key) + String(signingSecret)

    assert.notInclude(printed, Redacted.value(key))
    assert.notInclude(printed, Redacted.value(signingSecret))
  })

  test("fails when there is no such account", function* () {
    const request = newKey({ accountId: yield* newId(AccountId) })

    const error = yield* Effect.flip((yield* ApiKeys).create(request))

    assert.strictEqual(error._tag, "AccountNotFound")
  })
})

describe("ApiKeys.rotateSigningSecret", () => {
  test("replaces a lost secret at once", function* () {
    const { record } = yield* makeKey()

    const rotated = yield* rotate(record, "immediate")

    assert.deepStrictEqual([rotated.activeAt, rotated.previousExpiresAt], [second(0), second(0)])
    assert.deepStrictEqual(yield* signersOf(record), [Redacted.value(rotated.signingSecret)])
  })

  test("stages a secret beside the old one, then puts it first, then ends the old one", function* () {
    const { record, signingSecret } = yield* makeKey()
    const before = Redacted.value(signingSecret)

    const rotated = yield* rotate(record, "staged")

    const after = Redacted.value(rotated.signingSecret)
    assert.deepStrictEqual([rotated.activeAt, rotated.previousExpiresAt], [second(3_600), second(7_200)])
    assert.deepStrictEqual(yield* signersOf(record), [before, after])
    yield* TestClock.adjust(oneHour)
    assert.deepStrictEqual(yield* signersOf(record), [after, before])
    yield* TestClock.adjust(oneHour)
    assert.deepStrictEqual(yield* signersOf(record), [after])
  })

  test("ends a staged secret too when everything must be replaced at once", function* () {
    const { record } = yield* makeKey()
    yield* rotate(record, "staged")

    const rotated = yield* rotate(record, "immediate")

    assert.deepStrictEqual(yield* signersOf(record), [Redacted.value(rotated.signingSecret)])
    yield* TestClock.adjust(oneHour)
    assert.deepStrictEqual(yield* signersOf(record), [Redacted.value(rotated.signingSecret)])
  })
})

describe("ApiKeys", () => {
  test("finds no key of another account", function* () {
    const keys = yield* ApiKeys
    const { id } = (yield* makeKey()).record
    const ref = { accountId: (yield* makeTenant()).caller.accountId, id }

    const errors = yield* Effect.all([
      Effect.flip(keys.get(ref)),
      Effect.flip(keys.update(ref, { name: "Mine" })),
      Effect.flip(keys.revoke(ref)),
      Effect.flip(keys.rotate(ref, oneHour)),
      Effect.flip(rotate(ref, "immediate"))
    ])

    assert.deepStrictEqual(new Set(errors.map(({ _tag }) => _tag)), new Set(["ApiKeyNotFound"]))
  })

  test("changes what an operator says, and nothing else", function* () {
    const keys = yield* ApiKeys
    const { record } = yield* makeKey()
    yield* TestClock.adjust("1 minute")

    const updated = yield* keys.update(record, { name: "Shop", maxLive: 3 })

    assert.deepStrictEqual(updated, { ...record, name: "Shop", maxLive: 3, updatedAt: second(60) })
    assert.deepStrictEqual(yield* keys.get(record), updated)
  })

  test("lists the keys of the account only, revoked ones included", function* () {
    const keys = yield* ApiKeys
    const { record } = yield* makeKey()
    yield* keys.revoke(record)
    yield* makeTenant()

    const { items } = yield* keys.list(record.accountId, { after: null, limit: 10 })

    assert.strictEqual(items.length, 2)
    assert.deepStrictEqual(items[0]?.revokedAt, second(0))
  })
})

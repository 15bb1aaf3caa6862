import { assert, describe } from "@effect/vitest"
import { generate } from "@runhook/core/signing/ApiKey"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Authentication, Unauthorized } from "@runhook/core/keys/Authentication"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { second } from "@runhook/store-testing/Fixtures"
import { adminKey } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { makeTenant, newKey } from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"

const makeKey = Effect.fnUntraced(function* () {
  const { caller } = yield* makeTenant()
  return yield* (yield* ApiKeys).create(newKey(caller, { expiresAt: second(3_600) }))
})

const makeRunnerKey = Effect.fnUntraced(function* () {
  const { accountId } = (yield* makeTenant()).caller
  return yield* (yield* RunnerKeys).create({ accountId, name: "Machine room", agentIds: null })
})

const replaceLast = (key: string): string => key.slice(0, -1) + (key.endsWith("0") ? "1" : "0")

describe("Authentication.apiKey", () => {
  test("finds the record of a key", function* () {
    const { key, record } = yield* makeKey()

    assert.deepStrictEqual(yield* (yield* Authentication).apiKey(key), record)
  })

  test("answers every key that opens nothing alike", function* () {
    const [authentication, keys] = [yield* Authentication, yield* ApiKeys]
    const [revoked, live, runner] = [yield* makeKey(), yield* makeKey(), yield* makeRunnerKey()]
    const unknown = yield* generate("live")
    // Even if they opened something a moment ago.
    yield* Effect.forEach([revoked.key, live.key], authentication.apiKey)
    yield* keys.revoke(revoked.record)
    const sameKeyOtherSecret = (yield* keys.rotate(live.record, Duration.zero)).key
    const presented = [
      Redacted.make(""),
      Redacted.make("rhlive"),
      Redacted.make(replaceLast(Redacted.value(sameKeyOtherSecret))),
      Redacted.make(unknown.key),
      revoked.key,
      live.key,
      runner.key,
      Redacted.make(adminKey)
    ]

    const errors = yield* Effect.forEach(presented, (key) => Effect.flip(authentication.apiKey(key)))

    assert.deepStrictEqual(
      errors.map((error) => [error, error.message]),
      presented.map(() => [new Unauthorized(), new Unauthorized().message])
    )
  })

  test("accepts a key until it expires", function* () {
    const authentication = yield* Authentication
    const { key } = yield* makeKey()
    yield* TestClock.adjust("3599 seconds")
    yield* authentication.apiKey(key)
    yield* TestClock.adjust("1 seconds")

    const error = yield* Effect.flip(authentication.apiKey(key))

    assert.deepStrictEqual(error, new Unauthorized())
  })

  test("accepts a rotated key beside its successor until the overlap is over", function* () {
    const authentication = yield* Authentication
    const { key, record } = yield* makeKey()

    const rotated = yield* (yield* ApiKeys).rotate(record, Duration.minutes(1))

    assert.deepStrictEqual(rotated.previousExpiresAt, second(60))
    const before = yield* Effect.forEach([key, rotated.key], authentication.apiKey)
    assert.deepStrictEqual(
      before.map(({ id }) => id),
      [record.id, record.id]
    )
    yield* TestClock.adjust("1 minute")
    yield* Effect.flip(authentication.apiKey(key))
    yield* authentication.apiKey(rotated.key)
  })
})

describe("Authentication.runnerKey", () => {
  test("finds the record of a runner key, until it is revoked", function* () {
    const authentication = yield* Authentication
    const { key, record } = yield* makeRunnerKey()
    const found = yield* authentication.runnerKey(key)
    yield* (yield* RunnerKeys).revoke(record)

    const error = yield* Effect.flip(authentication.runnerKey(key))

    assert.deepStrictEqual(found, record)
    assert.deepStrictEqual(error, new Unauthorized())
  })

  test("is not opened by an integration key", function* () {
    const { key } = yield* makeKey()

    const error = yield* Effect.flip((yield* Authentication).runnerKey(key))

    assert.deepStrictEqual(error, new Unauthorized())
  })
})

describe("Authentication.adminKey", () => {
  test("is opened by the operator's key and nothing else", function* () {
    const authentication = yield* Authentication
    yield* authentication.adminKey(Redacted.make(adminKey))

    const error = yield* Effect.flip(authentication.adminKey(Redacted.make("another key")))

    assert.deepStrictEqual(error, new Unauthorized())
  })
})

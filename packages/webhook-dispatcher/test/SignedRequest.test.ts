import { assert, describe } from "@effect/vitest"
import { signedRequest } from "@runhook/core/signing/SignedRequest"
import * as SigningSecret from "@runhook/core/signing/SigningSecret"
import type * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import { makeDelivery, makeKey, test } from "./World.ts"

/** A request signed by these secrets, the active one first, at the time of the machine: the library has no other. */
const requestSignedBy = Effect.fnUntraced(function* (...secrets: Arr.NonEmptyReadonlyArray<string>) {
  const { record } = yield* makeKey()
  const delivery = yield* makeDelivery(record, "http://127.0.0.1:8700/hook")
  const [active, ...others] = secrets.map((secret) => Effect.fromResult(SigningSecret.parse(secret)))
  assert.isDefined(active)
  const keys = [yield* active, ...(yield* Effect.all(others))] as const
  return signedRequest({ delivery, keys, at: yield* TestClock.withLive(DateTime.now) })
})

const isBelieved = (
  secret: string,
  { body, headers }: Effect.Success<ReturnType<typeof requestSignedBy>>
) => {
  try {
    new Webhook(secret).verify(body, { ...headers })
    return true
  } catch {
    return false
  }
}

describe("signedRequest", () => {
  test("is believed by the library of Standard Webhooks, as it was sent and in no other way", function* () {
    const secret = yield* SigningSecret.generate
    const other = yield* SigningSecret.generate

    const request = yield* requestSignedBy(secret)

    assert.isTrue(isBelieved(secret, request))
    assert.isFalse(isBelieved(other, request))
    assert.isFalse(isBelieved(secret, { ...request, body: `${request.body} ` }))
  })

  test("names the trace of its execution in a header that is not signed, if there is one", function* () {
    const { record } = yield* makeKey()
    const untraced = yield* makeDelivery(record, "http://127.0.0.1:8700/hook")
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
    const at = yield* DateTime.now
    const keys = [yield* Effect.fromResult(SigningSecret.parse(yield* SigningSecret.generate))] as const

    const without = signedRequest({ delivery: untraced, keys, at })
    const within = signedRequest({ delivery: { ...untraced, traceparent }, keys, at })

    assert.notProperty(without.headers, "traceparent")
    assert.deepStrictEqual(within, { ...without, headers: { ...without.headers, traceparent } })
  })

  test("is believed by receivers that know either secret while two live", function* () {
    const [active, staged] = [yield* SigningSecret.generate, yield* SigningSecret.generate]

    const request = yield* requestSignedBy(active, staged)

    assert.isTrue(isBelieved(active, request))
    assert.isTrue(isBelieved(staged, request))
  })
})

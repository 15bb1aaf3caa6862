import { assert, describe } from "@effect/vitest"
import { EventId } from "@runhook/core/shared/Ids"
import * as SigningSecret from "@runhook/core/signing/SigningSecret"
import { toleranceSeconds, verify } from "@runhook/core/signing/WebhookSignature"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { id } from "../Hosts.ts"
import { refusalOf, test } from "../Service.ts"
import { claimed, settle } from "../Settled.ts"
import { makeTenant } from "../Tenant.ts"

const callback_url = "https://receiver.example.com/hooks?it's"

/** A tenant with a test that is to be delivered. */
const sendTest = Effect.fnUntraced(function* () {
  const tenant = yield* makeTenant()
  const { admin, key, params } = tenant
  const { delivery_id } = yield* admin.deliveries.test({ params, payload: { callback_url, key_id: key.id } })
  return { ...tenant, named: { params: { ...params, id: delivery_id } } }
})

const unknown = EventId.make(id)

/** In an hour. */
const retry = Effect.map(DateTime.now, (at) => ({
  _tag: "Retry" as const,
  nextAttemptAt: DateTime.add(at, { hours: 1 })
}))

describe("a delivery that somebody wants tried now", () => {
  test("is due at once, and its next attempt is the next", function* () {
    const { admin, named } = yield* sendTest()
    yield* settle(yield* claimed, yield* retry)
    const before = yield* admin.deliveries.get(named)

    const tried = yield* admin.deliveries.try(named)

    const after = yield* admin.deliveries.get(named)
    const now = yield* DateTime.now
    assert.deepStrictEqual(tried, {
      id: named.params.id,
      state: "pending",
      round: 1,
      attempts: 1,
      next_attempt_at: now,
      request_id: tried.request_id
    })
    assert.strictEqual(before.waiting_for, "backoff")
    assert.deepStrictEqual([after.waiting_for, after.next_attempt_at], [null, now])
    assert.deepStrictEqual(
      (yield* claimed).map(({ attempts }) => attempts),
      [2]
    )
  })

  test("is refused while it is being sent and once it is settled, with the reason", function* () {
    const { admin, named } = yield* sendTest()
    const deliveries = yield* claimed

    const sending = yield* refusalOf(admin.deliveries.try(named))
    yield* settle(deliveries, { _tag: "Delivered" })
    const settled = yield* refusalOf(admin.deliveries.try(named))

    assert.deepStrictEqual(sending.details, { reason: "sending", state: "pending" })
    assert.deepStrictEqual(settled.details, { reason: "settled", state: "delivered" })
    assert.include(settled.message, "replay")
  })

  test("is not found in another account", function* () {
    const { named } = yield* sendTest()
    const { admin, params } = yield* makeTenant()
    const foreign = { params: { ...params, id: named.params.id } }

    const refusals = yield* Effect.all([
      refusalOf(admin.deliveries.try(foreign)),
      refusalOf(admin.deliveries.curl(foreign)),
      refusalOf(admin.deliveries.try({ params: { ...params, id: unknown } })),
      refusalOf(admin.deliveries.curl({ params: { ...params, id: unknown } }))
    ])

    assert.deepStrictEqual(
      refusals.map(({ code }) => code),
      ["not_found", "not_found", "not_found", "not_found"]
    )
  })
})

const headerOf = (command: string, name: string) => new RegExp(`'${name}: ([^']*)'`).exec(command)?.[1]

/** Whether a receiver that knows a signing secret takes the request then. */
const isTaken = Effect.fnUntraced(function* (
  { body, command }: { readonly body: string; readonly command: string },
  secret: string,
  receivedAt: DateTime.Utc
) {
  const known = yield* Effect.fromResult(SigningSecret.parse(secret))
  return Result.isSuccess(
    verify([known], {
      body,
      timestamp: headerOf(command, "X-Webhook-Timestamp"),
      signature: headerOf(command, "X-Webhook-Signature"),
      eventId: headerOf(command, "X-Webhook-Event-Id"),
      receivedAt
    })
  )
})

// Receivers take no timestamp of less than ten digits.
const lately = TestClock.setTime(1_900_000_000_500)

describe("a delivery as a curl command", () => {
  test("is signed now with the active secret of its key, and says until when receivers take it", function* () {
    yield* lately
    const { admin, key, named, params } = yield* sendTest()
    const { signing_secret } = yield* admin.keys.rotateSigningSecret({
      params: { ...params, key_id: key.id },
      payload: { mode: "immediate" }
    })
    const { event_id, payload: body } = yield* admin.deliveries.get(named)

    const { command, expires_at } = yield* admin.deliveries.curl(named)

    const late = DateTime.add(expires_at, { seconds: 1 })
    const timestamp = Number(headerOf(command, "X-Webhook-Timestamp"))
    assert.strictEqual(headerOf(command, "webhook-id"), event_id)
    assert.deepStrictEqual(expires_at, DateTime.makeUnsafe((timestamp + toleranceSeconds) * 1_000))
    assert.isTrue(yield* isTaken({ body, command }, signing_secret, expires_at))
    assert.isFalse(yield* isTaken({ body, command }, signing_secret, late))
    assert.isFalse(yield* isTaken({ body, command }, key.signing_secret, expires_at))
    assert.isTrue(command.startsWith(`printf '%s' '${body}' | curl `))
    assert.include(command, String.raw`'https://receiver.example.com/hooks?it%27s'`)
  })

  test("is signed with the old secret until the new one of a staged rotation takes over", function* () {
    yield* lately
    const { admin, key, named, params } = yield* sendTest()
    const { signing_secret } = yield* admin.keys.rotateSigningSecret({
      params: { ...params, key_id: key.id },
      payload: { mode: "staged", overlap_seconds: 60 }
    })
    const { payload: body } = yield* admin.deliveries.get(named)
    const signedBy = Effect.gen(function* () {
      const { command } = yield* admin.deliveries.curl(named)
      const at = yield* DateTime.now
      return yield* Effect.forEach([key.signing_secret, signing_secret], (secret) =>
        isTaken({ body, command }, secret, at)
      )
    })

    const staged = yield* signedBy
    yield* TestClock.adjust("61 seconds")
    const active = yield* signedBy

    assert.deepStrictEqual(
      [staged, active],
      [
        [true, false],
        [false, true]
      ]
    )
  })

  test("is told of in the audit log, without what it was signed with", function* () {
    yield* TestClock.setTime(1_900_000_000_500)
    const { admin, named, params } = yield* sendTest()
    const { command, expires_at } = yield* admin.deliveries.curl(named)

    const log = yield* admin.audit.list({ params, query: { subject_id: named.params.id } })

    const [copied] = typeof log === "string" ? [] : log.data
    assert.strictEqual(copied?.action, "delivery.copied_as_curl")
    assert.deepStrictEqual(copied?.after, { expires_at: DateTime.formatIso(expires_at) })
    assert.notInclude(JSON.stringify(log), headerOf(command, "X-Webhook-Signature") ?? "no signature")
  })

  test("counts as no attempt, and can be had of what is settled as well", function* () {
    const { admin, named } = yield* sendTest()
    const before = yield* admin.deliveries.curl(named)
    yield* settle(yield* claimed, { _tag: "Delivered" })

    const { command } = yield* admin.deliveries.curl(named)

    const { attempts, state } = yield* admin.deliveries.get(named)
    assert.deepStrictEqual([state, attempts], ["delivered", 1])
    assert.strictEqual(headerOf(before.command, "X-Webhook-Attempt"), "1")
    assert.strictEqual(headerOf(command, "X-Webhook-Attempt"), "1")
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as SigningSecret from "../../src/signing/SigningSecret.ts"
import * as WebhookSignature from "../../src/signing/WebhookSignature.ts"
import vectors from "./WebhookVectors.json" with { type: "json" }
import { ReadableJson, ReadableObject } from "../../src/shared/json/Json.ts"

const keysOf = (secret: string) => Result.getOrThrow(SigningSecret.parse(secret))
const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1_000)

const [vector] = vectors.accepted
assert.isDefined(vector)
const keys = vector.secrets.map(keysOf)
const sentAt = Number(vector.timestamp)
const callback = {
  body: vector.body,
  timestamp: vector.timestamp,
  signature: vector.x_webhook_signature,
  eventId: vector.event_id,
  receivedAt: at(sentAt)
}

const verdict = (change: Partial<Parameters<typeof WebhookSignature.verify>[1]>): string =>
  Result.match(WebhookSignature.verify(keys, { ...callback, ...change }), {
    onFailure: ({ reason }) => reason,
    onSuccess: () => "verified"
  })

describe("the published vectors", () => {
  it.each(vectors.accepted)("$name: are signed", ({ secrets, event_id, ...expected }) => {
    const event = { id: event_id, body: expected.body, timestamp: expected.timestamp }
    const [active] = secrets.map(keysOf)
    assert.isDefined(active)

    assert.strictEqual(WebhookSignature.sign(active, event), expected.x_webhook_signature)
    assert.strictEqual(WebhookSignature.signStandard(secrets.map(keysOf), event), expected.webhook_signature)
  })

  it.each(vectors.accepted)("$name: verify", ({ secrets, event_id, ...sent }) => {
    const { body, timestamp, x_webhook_signature: signature } = sent
    const receivedAt = at(Number(timestamp))

    const event = WebhookSignature.verify(secrets.map(keysOf), {
      body,
      timestamp,
      signature,
      eventId: event_id,
      receivedAt
    })

    assert.deepStrictEqual(Result.getOrThrow(event), JSON.parse(body))
  })

  it.each(vectors.rejected)("$name: is refused for $reason", ({ secrets, event_id, reason, ...sent }) => {
    const { body, timestamp, x_webhook_signature: signature } = sent
    const receivedAt = at(sentAt)

    const result = WebhookSignature.verify(secrets.map(keysOf), {
      body,
      timestamp,
      signature,
      eventId: event_id,
      receivedAt
    })

    assert.strictEqual(Result.getOrThrow(Result.flip(result)).reason, reason)
  })
})

describe("verify", () => {
  it("accepts a clock that is 300 seconds off, and no more", () => {
    assert.strictEqual(verdict({ receivedAt: at(sentAt + 300) }), "verified")
    assert.strictEqual(verdict({ receivedAt: at(sentAt - 300) }), "verified")
    assert.strictEqual(verdict({ receivedAt: at(sentAt + 300.001) }), "timestamp_out_of_tolerance")
    assert.strictEqual(verdict({ receivedAt: at(sentAt - 300.001) }), "timestamp_out_of_tolerance")
  })

  it("accepts any secret the receiver knows, and none when it knows none", () => {
    const other = keysOf("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")

    assert.isTrue(Result.isSuccess(WebhookSignature.verify([other, ...keys], callback)))
    assert.isTrue(Result.isFailure(WebhookSignature.verify([], callback)))
  })

  it("names the header that is missing", () => {
    assert.strictEqual(verdict({ timestamp: undefined }), "timestamp_malformed")
    assert.strictEqual(verdict({ signature: undefined }), "signature_malformed")
    assert.strictEqual(verdict({ eventId: undefined }), "event_id_mismatch")
  })

  it("refuses an event without an id, even when the header is missing too", () => {
    const [active] = keys
    assert.isDefined(active)
    const signature = WebhookSignature.sign(active, { body: "{}", timestamp: callback.timestamp })

    assert.strictEqual(verdict({ body: "{}", signature, eventId: undefined }), "event_id_mismatch")
  })

  it("says what is wrong in words", () => {
    const result = WebhookSignature.verify(keys, { ...callback, body: "{}" })

    assert.strictEqual(
      Result.getOrThrow(Result.flip(result)).message,
      "X-Webhook-Signature does not match the body and the timestamp"
    )
  })

  it.prop("accepts what was signed and nothing else", [ReadableObject, ReadableJson], ([data, other]) => {
    const [active] = keys
    assert.isDefined(active)
    const body = JSON.stringify({ event_id: callback.eventId, data })
    const tampered = JSON.stringify({ event_id: callback.eventId, data: [other] })
    const signature = WebhookSignature.sign(active, { body, timestamp: callback.timestamp })

    assert.strictEqual(verdict({ body, signature }), "verified")
    assert.strictEqual(verdict({ body: tampered, signature }), "signature_mismatch")
  })
})

describe("timestampAt", () => {
  it("drops the fraction of a second", () => {
    assert.strictEqual(WebhookSignature.timestampAt(at(1_772_875_800.999)), "1772875800")
  })
})

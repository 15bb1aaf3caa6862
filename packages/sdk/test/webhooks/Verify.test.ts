import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import {
  signTest,
  verifyWebhook,
  type WebhookEvent,
  WebhookRejectedError
} from "../../src/webhooks/Webhooks.ts"

interface Vector {
  readonly name: string
  readonly secrets: ReadonlyArray<string>
  readonly event_id: string
  readonly timestamp: string
  readonly body: string
  readonly x_webhook_signature: string
  readonly reason?: string
}

const file = new URL("../../../core/test/signing/WebhookVectors.json", import.meta.url)
const vectors: { readonly accepted: ReadonlyArray<Vector>; readonly rejected: ReadonlyArray<Vector> } =
  JSON.parse(readFileSync(file, "utf8"))

const headersOf = ({ event_id, timestamp, x_webhook_signature }: Vector) => ({
  "x-webhook-event-id": event_id,
  "x-webhook-timestamp": timestamp,
  "x-webhook-signature": x_webhook_signature
})

const at = (seconds: number) => new Date(seconds * 1_000)
const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

const event: WebhookEvent = {
  event_id: "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f",
  type: "webhook.test",
  occurred_at: "2026-03-07T09:30:00.000Z",
  request_id: "req_1",
  reference: "webhook-test",
  metadata: {},
  execution: null,
  message: "Hello"
}

const reasonOf = async (verified: Promise<unknown>): Promise<string> => {
  const failure: unknown = await verified.then(
    () => assert.fail("it was accepted"),
    (cause: unknown) => cause
  )
  assert.instanceOf(failure, WebhookRejectedError)
  return failure.reason
}

describe("verifyWebhook", () => {
  it.each(vectors.accepted)("accepts $name", async (vector) => {
    const now = at(Number(vector.timestamp))

    const verified = await verifyWebhook({ ...vector, headers: headersOf(vector), now })

    assert.deepStrictEqual(verified, JSON.parse(vector.body))
  })

  it.each(vectors.rejected)("rejects $name", async (vector) => {
    const reason = await reasonOf(
      verifyWebhook({ ...vector, headers: headersOf(vector), now: at(1_772_875_800) })
    )

    assert.strictEqual(reason, vector.reason)
  })

  it.each([-300, 300])("believes a clock that is %i seconds off, and no further", async (offset) => {
    const now = at(1_772_875_800)
    const callback = await signTest(event, { secret, now })
    const late = at(1_772_875_800 + offset + Math.sign(offset))

    await verifyWebhook({ ...callback, secrets: secret, now: at(1_772_875_800 + offset) })

    assert.strictEqual(
      await reasonOf(verifyWebhook({ ...callback, secrets: secret, now: late })),
      "timestamp_out_of_tolerance"
    )
  })

  it("reads bytes, Headers and any of several secrets", async () => {
    const { body, headers } = await signTest(event, { secret })

    const verified = await verifyWebhook({
      body: new TextEncoder().encode(body),
      headers: new Headers(headers),
      secrets: ["whsec_the_next", secret]
    })

    assert.deepStrictEqual(verified, event)
  })

  it("finds headers of any case", async () => {
    const { body, headers } = await signTest(event, { secret })
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
    )

    assert.deepStrictEqual(await verifyWebhook({ body, headers: upper, secrets: secret }), event)
  })

  it("rejects a signed body that is no UTF-8", async () => {
    const { headers } = await signTest(event, { secret })

    const reason = await reasonOf(verifyWebhook({ body: new Uint8Array([0xff]), headers, secrets: secret }))

    assert.strictEqual(reason, "signature_mismatch")
  })

  it.each([event, undefined, null, 7])(
    "says what to do when it is given %j in place of the bytes",
    async (parsed) => {
      const { headers } = await signTest(event, { secret })
      // As a program in JavaScript would.
      const callback: { readonly body: string } = JSON.parse(JSON.stringify({ body: parsed }))

      const failure: unknown = await verifyWebhook({ ...callback, headers, secrets: secret }).catch(
        (cause: unknown) => cause
      )

      assert.instanceOf(failure, WebhookRejectedError)
      assert.strictEqual(failure.reason, "body_already_read")
      assert.include(failure.message, "before express.json()")
    }
  )

  it.each([`${secret}\n`, `${secret}\r\n`, `\uFEFF${secret}`, `  ${secret}\t`, `\uFEFF${secret}\r\n`])(
    "takes a secret as files have it: %j",
    async (given) => {
      const { body, headers } = await signTest(event, { secret })

      for (const secrets of [given, ["whsec_the_next\n", given]]) {
        assert.deepStrictEqual(await verifyWebhook({ body, headers, secrets }), event)
      }
      assert.strictEqual(
        (await signTest(event, { secret: given, now: at(0) })).headers["x-webhook-signature"],
        (await signTest(event, { secret, now: at(0) })).headers["x-webhook-signature"]
      )
    }
  )

  it.each(["whsec_a b", "whsec_a\nwhsec_b", "w\0h\0s\0", "\uFFFD\uFFFDw", "whsec_é"])(
    "refuses a secret that is none, without showing it: %j",
    async (given) => {
      const { body, headers } = await signTest(event, { secret })

      const failure: unknown = await verifyWebhook({ body, headers, secrets: [secret, given] }).catch(
        (cause: unknown) => cause
      )

      assert.instanceOf(failure, TypeError)
      assert.strictEqual(failure.message, "secrets must be of visible ASCII characters")
    }
  )

  it.each([[""], [[]], [["whsec_a", ""]], [" \n"], ["\uFEFF"]])(
    "refuses to work with %j for secrets",
    async (secrets) => {
      const callback = await signTest(event, { secret })

      const failure: unknown = await verifyWebhook({ ...callback, secrets }).catch((cause: unknown) => cause)

      assert.instanceOf(failure, TypeError)
    }
  )
})

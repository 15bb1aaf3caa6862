import { createHmac } from "node:crypto"
import type { DeliveryAttempt } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { check, type CheckInput, webSigner } from "../../../src/views/deliveries/SignatureCheck.ts"

const payload = `{"event_id":"01","type":"execution.completed","url":"https://a/b","note":"é"}`
const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex")

const signed = (number: number, secret: string): DeliveryAttempt => {
  const timestamp = String(1_795_304_445 + number)
  return {
    round: 1,
    number,
    started_at: new Date(Number(timestamp) * 1_000).toISOString(),
    duration_ms: 1,
    timings_ms: { dns: null, connect: null, tls: null, headers: 1, body: null },
    phase: "done",
    error: "The receiver answered 401",
    cause: "unauthorized",
    remote_address: null,
    request: {
      headers: { "X-Webhook-Timestamp": timestamp, "X-Webhook-Signature": hmac(secret, payload + timestamp) },
      body: payload
    },
    response: null
  }
}

const attempt = signed(2, "whsec_new")
const sent = { payload, attempt, others: [signed(1, "whsec_old"), signed(3, "whsec_next")] }
const headers = attempt.request?.headers ?? {}
const nothing: CheckInput = { secret: "", body: "", timestamp: "", signature: "" }

const found = async (typed: Partial<CheckInput>) => {
  const sign = webSigner(crypto.subtle)
  assert(sign !== null)
  return check({ ...nothing, ...typed }, sent, sign)
}

describe("the signature checker", () => {
  it("finds nothing wrong with what was sent", async () => {
    const findings = await found({
      secret: " whsec_new ",
      body: payload,
      timestamp: headers["X-Webhook-Timestamp"] ?? "",
      signature: headers["X-Webhook-Signature"] ?? ""
    })

    assert.deepStrictEqual(
      Object.values(findings).map(({ isRight }) => isRight),
      [true, true, true, true]
    )
  })

  it("checks nothing that was not typed", async () => {
    assert.deepStrictEqual(
      Object.values(await found({})).map(({ isRight }) => isRight),
      [null, null, null, null]
    )
  })

  it.each([
    ["whsec_old", "It signed attempt 1 of round 1, an earlier one: it has been replaced since"],
    ["whsec_next", "It signed attempt 3 of round 1, a later one"],
    ["whsec_none", "signed none of the attempts"]
  ])("says of the secret %s which attempt it signed", async (secret, words) => {
    const findings = await found({ secret })

    assert.isFalse(findings.secret.isRight)
    assert.include(findings.secret.words, words)
  })

  const at = (text: string) => new TextEncoder().encode(payload.slice(0, payload.indexOf(text))).length

  it.each([
    ["a space after a colon", payload.replace(":", ": "), `byte ${at(":") + 1}: a space`],
    ["an escaped slash", payload.replace("//", "\\/\\/"), `byte ${at("//")}: "/" was escaped`],
    ["a line break at the end", `${payload}\n`, "a line break at its end"],
    ["a cut body", payload.slice(0, 20), "was cut at byte 20"],
    [
      "keys in another order",
      `{"type":"execution.completed","event_id":"01","url":"https://a/b","note":"é"}`,
      "its keys in another order"
    ],
    ["another text behind a wide character", payload.replace('é"', 'é!"'), `byte ${at('"}')}`]
  ])("names %s by its place among the bytes", async (_name, body, words) => {
    const findings = await found({ body })

    assert.isFalse(findings.body.isRight)
    assert.include(findings.body.words, words)
  })

  it.each([
    ["1795304440", "7 s before"],
    ["1795304450", "3 s after"],
    ["1795304447000", "milliseconds"],
    ["2026-11-22", "is not a number of seconds"]
  ])("says what is wrong with the timestamp %s", async (timestamp, words) => {
    const findings = await found({ timestamp })

    assert.isFalse(findings.timestamp.isRight)
    assert.include(findings.timestamp.words, words)
  })

  it("tells another signature, one in upper case, and one of the other scheme apart", async () => {
    const signature = headers["X-Webhook-Signature"] ?? ""

    assert.include((await found({ signature: signature.toUpperCase() })).signature.words, "lower-case")
    assert.include((await found({ signature: "v1,abc=" })).signature.words, "webhook-signature")
    assert.isFalse((await found({ signature: "0".repeat(64) })).signature.isRight)
  })

  it("says nothing of an attempt that sent nothing", async () => {
    const sign = webSigner(crypto.subtle)
    assert(sign !== null)
    const unsent = { ...sent, attempt: { ...attempt, request: null } }

    const findings = await check({ ...nothing, secret: "x", timestamp: "1", signature: "y" }, unsent, sign)

    assert.deepStrictEqual(
      [findings.secret.isRight, findings.timestamp.isRight, findings.signature.isRight],
      [null, null, null]
    )
  })

  it("cannot sign where the browser has no Web Crypto", () => {
    assert.isNull(webSigner(undefined))
  })
})

import type { DeliveryAttempt, DeliveryDetail, KnownDeliveryCause } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { type Evidence, noEvidence } from "../../../src/views/deliveries/Case.ts"
import { causes } from "../../../src/views/deliveries/CauseWords.ts"
import { diagnose } from "../../../src/views/deliveries/Diagnosis.ts"
import { plain } from "./Plain.ts"

const attempt: DeliveryAttempt = {
  round: 1,
  number: 12,
  started_at: "2026-11-21T23:40:45.000Z",
  duration_ms: 92,
  timings_ms: { dns: 2, connect: 12, tls: 20, headers: 56, body: 2 },
  phase: "done",
  error: "The receiver answered 401",
  cause: "unauthorized",
  remote_address: "203.0.113.7",
  request: { headers: {}, body: "{}" },
  response: { status: 401, headers: {}, body: "bad_signature", truncated: false }
}

const delivery: DeliveryDetail = {
  id: "01a1f150-2b69-7e11-a0b1-6c5d4e3f2a1b",
  event_id: "01a1f150-2b69-7e11-a0b1-6c5d4e3f2a1b",
  type: "execution.completed",
  state: "dead",
  callback_url: "https://hooks.meridian.example/runhook/v1/callbacks",
  execution_id: null,
  endpoint_id: null,
  key_id: "01a1f150-0000-7e11-a0b1-6c5d4e3f2a1b",
  reference: null,
  attempts: 12,
  round: 1,
  waiting_for: null,
  next_attempt_at: null,
  expires_at: "2026-11-23T00:58:45.000Z",
  last_status: 401,
  last_error: "The receiver answered 401",
  last_cause: "unauthorized",
  created_at: "2026-11-19T00:58:45.000Z",
  settled_at: "2026-11-21T23:40:45.000Z",
  payload: "{}",
  attempts_log: [attempt],
  request_id: "req_1"
}

const success = (at: string) => ({
  id: "01a1f14f-0000-7e11-a0b1-6c5d4e3f2a1b",
  at,
  url: "https://hooks.meridian.example/old"
})
const before = success("2026-11-19T00:39:00.000Z")
const since = success("2026-11-22T00:39:00.000Z")

const told = (changes: Partial<DeliveryDetail>, evidence: Partial<Evidence> = {}) => {
  const found = diagnose({ ...delivery, ...changes }, { ...noEvidence, ...evidence })
  return found === null
    ? null
    : { ...found, title: plain(found.title), text: plain(found.text), steps: found.steps.map(plain) }
}

const failed = (
  last_cause: KnownDeliveryCause,
  last_status: number | null,
  more: Partial<DeliveryAttempt> = {}
) => ({
  last_cause,
  last_status,
  attempts_log: [{ ...attempt, ...more, response: last_status === null ? null : attempt.response }]
})

describe("the diagnosis", () => {
  it("joins a refused signature with the change of the secret that came after the last success", () => {
    const found = told({}, { ofKey: before, secretChange: { at: "2026-11-19T00:40:00.000Z", by: "Jana" } })

    assert.strictEqual(found?.title, "The receiver refuses the signature")
    assert.include(found?.text, "replaced at 2026-11-19T00:40:00.000Z by Jana")
    assert.include(found?.text, "until 2026-11-19T00:39:00.000Z")
    assert.isTrue(found?.checksSignature)
  })

  it("does not blame a change of the secret after which callbacks were taken", () => {
    const found = told({}, { ofKey: since, secretChange: { at: "2026-11-19T00:40:00.000Z", by: "Jana" } })

    assert.strictEqual(found?.title, "The receiver refuses this event")
    assert.notInclude(found?.text, "Jana")
  })

  it("says when a receiver has never accepted a signature", () => {
    assert.strictEqual(told({})?.title, "The receiver has never accepted a signature")
  })

  const titles: ReadonlyArray<readonly [KnownDeliveryCause, number | null, Partial<Evidence>, string]> = [
    ["not_found", 404, { ofKey: before }, "The address answers, but not at this path"],
    ["not_accepted", 405, {}, "The path does not take POST with JSON"],
    ["redirected", 302, {}, "It answers with a redirect"],
    ["too_large", 413, {}, "The receiver finds the body too large"],
    ["bad_request", 422, { ofKey: since }, "It most likely fails on this body"],
    ["bad_request", 422, { ofKey: since, ofType: since }, "The receiver refuses this event"],
    ["server_error", 500, { ofKey: since }, "It most likely fails on this body"],
    ["server_error", 500, { ofKey: before }, "The receiver is failing"],
    ["rate_limited", 429, {}, "The receiver asks for a pause"],
    ["dns", null, {}, "The name hooks.meridian.example does not exist"],
    ["connect_refused", null, {}, "Nobody listens at hooks.meridian.example"],
    ["connect_timeout", null, {}, "Nobody listens at hooks.meridian.example"],
    ["connect_failed", null, {}, "Nobody listens at hooks.meridian.example"],
    ["tls_expired", null, {}, "Its certificate is not valid at this time"],
    ["tls_wrong_host", null, {}, "Its certificate is for another host"],
    ["tls_untrusted", null, {}, "Its certificate has no known issuer"],
    ["tls_failed", null, {}, "No TLS handshake with hooks.meridian.example"],
    ["no_answer", null, {}, "It took the request, then said nothing for 56 ms"],
    ["broken_off", 200, {}, "It began to answer 200 and broke off"],
    ["blocked", null, {}, "Runhook may not call this address"],
    ["send_failed", null, {}, "The connection ended before an answer"],
    ["invalid_answer", null, {}, "What it answers is not HTTP"],
    ["expired", null, {}, "Given up after 96 hours without a chance to send"]
  ]

  it.each(titles)("of %s (%s) is told by its title", (cause, status, evidence, title) => {
    assert.strictEqual(told(failed(cause, status), evidence)?.title, title)
  })

  it("has a rule for every cause, with something to do", () => {
    for (const cause of causes) assert.isNotEmpty(told(failed(cause, null))?.steps, cause)
    assert.sameMembers([...new Set([...titles.map(([cause]) => cause), "unauthorized"])], [...causes])
  })

  it("finds a large body behind a refusal", () => {
    const found = told({ ...failed("bad_request", 400), payload: "x".repeat(612_000) })

    assert.strictEqual(found?.title, "The receiver finds the body too large")
    assert.include(found?.text, "612 kB")
  })

  it("names where a redirect leads", () => {
    const response = {
      status: 301,
      headers: { location: "https://new.example/" },
      body: null,
      truncated: false
    }
    const found = told({
      last_cause: "redirected",
      last_status: 301,
      attempts_log: [{ ...attempt, response }]
    })

    assert.strictEqual(found?.title, "It answers with a redirect to https://new.example/")
  })

  it("shows what it does not know as it is", () => {
    assert.strictEqual(told({ last_cause: "gremlins", last_status: 418 })?.title, "It answered 418")
    assert.strictEqual(
      told({ last_cause: null, last_status: null, last_error: "Odd" })?.title,
      "It has not arrived"
    )
  })

  it("tells what waits that it is tried again by itself, and never to replay it", () => {
    const waiting = {
      state: "pending",
      waiting_for: "backoff",
      attempts: 4,
      next_attempt_at: "2026-11-22T01:44:00.000Z",
      settled_at: null
    } as const
    const steps = told(waiting)?.steps ?? []

    assert.include(
      steps.at(-1),
      "tried again at 2026-11-22T01:44:00.000Z by itself. 4 of 12 attempts are used"
    )
    assert.isFalse(steps.some((step) => step.startsWith("Replay")))
  })

  it("puts a paused receiver first, and says that waiting uses up no attempts", () => {
    const found = told({
      ...failed("no_answer", null),
      state: "pending",
      waiting_for: "breaker_open",
      next_attempt_at: "2026-11-22T01:19:10.000Z"
    })

    assert.strictEqual(found?.title, "Waits: the receiver is paused until 2026-11-22T01:19:10.000Z")
    assert.include(found?.text, "Waiting uses up no attempts")
    assert.include(found?.steps.join(" "), "Answer 200 first, work later")
  })

  it("has nothing to say where nothing is wrong", () => {
    assert.isNull(told({ state: "delivered" }))
    assert.isNull(told({ state: "pending", last_error: null, last_cause: null, last_status: null }))
  })
})

import type { DeliveryAttempt } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { stepsOf } from "../../../src/views/test-webhook/TestSteps.ts"

const startedAt = "2026-11-22T01:14:02.000Z"

const attempt: DeliveryAttempt = {
  round: 1,
  number: 1,
  started_at: startedAt,
  duration_ms: 100,
  timings_ms: { dns: 5, connect: 10, tls: 20, headers: 50, body: 4 },
  phase: "done",
  cause: null,
  error: null,
  remote_address: "203.0.113.7",
  request: { headers: {}, body: "{}" },
  response: { status: 204, headers: {}, body: "", truncated: false }
}

const after = (changes: Partial<DeliveryAttempt>) =>
  stepsOf({
    state: "pending",
    waiting_for: "backoff",
    next_attempt_at: startedAt,
    attempts_log: [{ ...attempt, error: "The receiver said no", ...changes }]
  })

const answered = (status: number) =>
  after({ response: { status, headers: {}, body: null, truncated: false } }).at(-1)

describe("the steps of a test", () => {
  it("begin with its place in the queue", () => {
    const waits = [null, "sending", "breaker_open"].map(
      (waiting_for) =>
        stepsOf({ state: "pending", waiting_for, next_attempt_at: startedAt, attempts_log: [] })[0]
    )

    assert.deepStrictEqual(waits.slice(0, 2), [
      { state: "now", title: "Queued" },
      { state: "now", title: "Being sent" }
    ])
    assert.deepInclude(waits[2], { state: "now", at: startedAt })
    assert.match(waits[2]?.title ?? "", /failed too often/)
  })

  it("are all done when the receiver has taken it", () => {
    const steps = stepsOf({
      state: "delivered",
      waiting_for: null,
      next_attempt_at: null,
      attempts_log: [attempt]
    })

    assert.deepStrictEqual(steps, [
      { state: "done", title: "Signed and sent", at: startedAt },
      { state: "done", title: "Connected, with TLS, in 35 ms" },
      { state: "done", title: "204 in 54 ms: it works" }
    ])
  })

  it("end where the address may not be called", () => {
    const steps = after({ phase: "policy", response: null, request: null })

    assert.deepStrictEqual(
      steps.map(({ state }) => state),
      ["fail", "next", "next"]
    )
    assert.strictEqual(steps[0]?.error, "The receiver said no")
  })

  it("end where there is no connection, and tell a wrong name from a bad certificate", () => {
    const none = { connect: null, tls: null, headers: null, body: null }
    const [, dns] = after({ phase: "dns", response: null, timings_ms: { ...none, dns: 3 } })
    const [, refused] = after({
      phase: "connect",
      response: null,
      timings_ms: { ...none, dns: 3, connect: 1 }
    })
    const [, tls] = after({
      phase: "connect",
      response: null,
      timings_ms: { ...none, dns: 3, connect: 1, tls: 9 }
    })

    assert.deepStrictEqual(
      [dns, refused, tls].map((step) => step?.state),
      ["fail", "fail", "fail"]
    )
    assert.match(dns?.hint ?? "", /name/)
    assert.match(refused?.hint ?? "", /running/)
    assert.match(tls?.hint ?? "", /certificate/)
  })

  it("say what an answer means", () => {
    assert.match(answered(401)?.hint ?? "", /refuses the signature/)
    assert.match(answered(404)?.hint ?? "", /path/)
    assert.match(answered(405)?.hint ?? "", /POST/)
    assert.match(answered(302)?.hint ?? "", /redirect/)
    assert.match(answered(429)?.hint ?? "", /pause/)
    assert.match(answered(503)?.hint ?? "", /failing/)
    assert.isUndefined(answered(422)?.hint)
    assert.strictEqual(answered(422)?.title, "422 after 54 ms")
  })

  it("tell silence from an answer that broke off", () => {
    assert.match(after({ phase: "headers", response: null }).at(-1)?.hint ?? "", /said nothing/)
    assert.match(answered(200)?.hint ?? "", /may have arrived/)
  })

  it("say that a kept connection took no time", () => {
    const [, connected] = after({ timings_ms: { dns: null, connect: null, tls: null, headers: 3, body: 1 } })

    assert.match(connected?.title ?? "", /was open/)
  })
})

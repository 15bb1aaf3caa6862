import { assert, describe, it } from "@effect/vitest"
import type { AttemptPhase } from "@runhook/core/deliveries/steps/AttemptCause"
import { signalOf } from "../../src/receivers/AttemptSignal.ts"

const result = { phase: "done", status: 200, error: null } as const

const answered = (status: number) => signalOf({ ...result, status, error: `It answered ${status}` })

const broken = (phase: AttemptPhase, status: number | null = null) =>
  signalOf({ ...result, phase, status, error: "It failed" })

describe("signalOf", () => {
  it("is accepted when the receiver took the event", () => {
    assert.strictEqual(signalOf(result), "accepted")
  })

  for (const status of [301, 400, 401, 404, 410, 422]) {
    it(`is rejected after a ${status}, which says that the receiver is there`, () => {
      assert.strictEqual(answered(status), "rejected")
    })
  }

  for (const status of [500, 502, 504]) {
    it(`is broken after a ${status}`, () => {
      assert.strictEqual(answered(status), "broken")
    })
  }

  for (const status of [429, 503]) {
    it(`is overloaded after a ${status}`, () => {
      assert.strictEqual(answered(status), "overloaded")
    })
  }

  for (const phase of ["dns", "connect", "request", "headers"] as const) {
    it(`is overloaded when the attempt ended at ${phase}`, () => {
      assert.strictEqual(broken(phase), "overloaded")
    })
  }

  it("is overloaded when the answer was not complete, whatever its status", () => {
    assert.strictEqual(broken("body", 200), "overloaded")
  })

  it("is unreached when nothing was sent, which is not the receiver's fault", () => {
    assert.strictEqual(broken("policy"), "unreached")
  })
})

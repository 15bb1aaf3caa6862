import { assert, describe, it } from "@effect/vitest"
import type { AttemptPhase } from "@runhook/core/domain/delivery/Delivery"
import { receiverSignOf } from "../../src/receivers/AttemptSignal.ts"

const result = { phase: "done", status: 200, error: null } as const

const answered = (status: number) => receiverSignOf({ ...result, status, error: `It answered ${status}` })

const broken = (phase: AttemptPhase, status: number | null = null) =>
  receiverSignOf({ ...result, phase, status, error: "It failed" })

describe("receiverSignOf", () => {
  it("is well when the receiver took the event", () => {
    assert.strictEqual(receiverSignOf(result), "well")
  })

  for (const status of [301, 400, 401, 404, 410, 422]) {
    it(`is refusing after a ${status}, which says that the receiver is there`, () => {
      assert.strictEqual(answered(status), "refusing")
    })
  }

  for (const status of [500, 502, 504]) {
    it(`is failing after a ${status}`, () => {
      assert.strictEqual(answered(status), "failing")
    })
  }

  for (const status of [429, 503]) {
    it(`is overwhelmed after a ${status}`, () => {
      assert.strictEqual(answered(status), "overwhelmed")
    })
  }

  for (const phase of ["dns", "connect", "request", "headers"] as const) {
    it(`is overwhelmed when the attempt ended at ${phase}`, () => {
      assert.strictEqual(broken(phase), "overwhelmed")
    })
  }

  it("is overwhelmed when the answer was not complete, whatever its status", () => {
    assert.strictEqual(broken("body", 200), "overwhelmed")
  })

  it("is silent when nothing was sent, which is not the receiver's fault", () => {
    assert.strictEqual(broken("policy"), "silent")
  })
})

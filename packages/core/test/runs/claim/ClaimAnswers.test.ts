import { assert, describe } from "@effect/vitest"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { makeClaimAnswers } from "@runhook/core/runs/claim/ClaimAnswers"
import { Executions } from "@runhook/core/executions/Executions"
import { test } from "@runhook/test-support/engine/Test"
import { idsOf, makeRunner, pollNow } from "@runhook/test-support/engine/Runner"
import { current, makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"

describe("Work that begins with its claim", () => {
  test("is left out when its caller stopped it in between", function* () {
    const tenant = yield* makeTenant({ agent: { capacity: 10 } })
    const [stopped, wanted] = [yield* makeExecution(tenant), yield* makeExecution(tenant)]
    const { claims } = yield* pollNow(yield* makeRunner(tenant), { freeSlots: 2 })
    yield* (yield* Executions).stop({ ...stopped, to: "aborted", reason: null })

    const begun = yield* (yield* makeClaimAnswers).startAll(claims)

    assert.deepStrictEqual(idsOf({ claims: begun }), [wanted.id])
    assert.strictEqual((yield* current(wanted)).status, "running")
    assert.strictEqual((yield* current(stopped)).status, "aborted")
  })
})

/** A megabyte that each execution has by default: twenty rows of fifty kilobytes. */
const text = "x".repeat(50_000)
const rows = Array.from({ length: 20 }, () => ({}))
const paramsSchema: JsonObject = {
  properties: { rows: { items: { properties: { text: { type: "string", default: text } } } } }
}

describe("A claim whose params grow with their defaults", () => {
  test("hands out what one answer has room for, and leaves the rest to the next", function* () {
    const tenant = yield* makeTenant({ agent: { capacity: 10 }, version: { paramsSchema } })
    const made = yield* Effect.replicateEffect(makeExecution(tenant, { params: { rows } }), 6)
    const runner = yield* makeRunner(tenant)

    const first = yield* pollNow(runner, { freeSlots: 10 })
    const left = yield* Effect.forEach(made.slice(4), current)
    const second = yield* pollNow(runner, { freeSlots: 10 })

    assert.deepStrictEqual(
      idsOf(first),
      made.slice(0, 4).map(({ id }) => id)
    )
    assert.deepStrictEqual(
      first.claims.map(({ params }) => params.value),
      first.claims.map(() => ({ rows: rows.map(() => ({ text })) }))
    )
    assert.deepStrictEqual(
      left.map(({ attempt, status }) => [attempt, status]),
      [
        [0, "queued"],
        [0, "queued"]
      ]
    )
    assert.deepStrictEqual(new Set(idsOf(second)), new Set(made.slice(4).map(({ id }) => id)))
  })
})

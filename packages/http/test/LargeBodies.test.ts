import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { largeBodyMin, largeBodyRate } from "../src/LargeBodies.ts"
import { errorOf } from "./Harness.ts"
import { Host, service } from "./Service.ts"
import { aTenant } from "./Tenant.ts"

const executions = "/api/v1/integrations/executions"

/** A body of that size that no execution is made of, and that takes no time to read. */
const sending = (key: string, bytes: number): RequestInit => ({
  method: "POST",
  headers: {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "content-length": `${bytes}`
  },
  body: `{}${" ".repeat(bytes - 2)}`
})

const large = 1_048_576
const allowed = largeBodyRate.burst / large

it.layer(service)("the large bodies of an account", (it) => {
  it.effect("are refused when they are too many, and those of others are not", () =>
    Effect.gen(function* () {
      const send = yield* Host
      const { key } = yield* aTenant
      const other = yield* aTenant

      const answers = yield* Effect.replicateEffect(send(executions, sending(key.key, large)), allowed)
      const refused = yield* send(executions, sending(key.key, large))

      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([422]))
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "1"])
      assert.isNotNull(refused.headers.get("ratelimit-remaining"))
      const { code, details } = yield* errorOf(refused)
      assert.strictEqual(code, "rate_limited")
      assert.deepStrictEqual(details, {
        reason: "large_bodies",
        limit: largeBodyRate.burst,
        retry_after_seconds: 1
      })
      const small = yield* send(executions, sending(key.key, largeBodyMin))
      const others = yield* send(executions, sending(other.key.key, large))
      assert.deepStrictEqual([small.status, others.status], [422, 422])
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* send(executions, sending(key.key, large))).status, 422)
    })
  )

  it.effect("count as the largest when they do not say how large they are", () =>
    Effect.gen(function* () {
      const send = yield* Host
      const { key } = yield* aTenant
      const chunked = sending(key.key, 2)
      const ask = send(executions, {
        ...chunked,
        headers: {
          authorization: `Bearer ${key.key}`,
          "content-type": "application/json",
          "transfer-encoding": "chunked"
        }
      })

      const answers = yield* Effect.replicateEffect(ask, allowed)

      assert.isFalse(answers.some(({ status }) => status === 429))
      assert.strictEqual((yield* ask).status, 429)
    })
  )
})

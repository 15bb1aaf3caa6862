import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { largeBodyMin, largeBodyRate, largeBodyWaitMax } from "../../src/limits/LargeBodies.ts"
import { errorOf } from "../Hosts.ts"
import { Host, service } from "../Service.ts"
import { makeTenant } from "../Tenant.ts"

const executions = "/api/v1/integrations/executions"

/** A body of that size that no execution is made of, and that takes no time to read. */
const sending = (key: string, bytes: number, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "content-length": `${bytes}`,
    ...headers
  },
  body: `{}${" ".repeat(bytes - 2)}`
})

const large = 1_048_576
/** How long the next body waits for one of the largest, in milliseconds. */
const turn = (large / largeBodyRate) * 1_000
const waitingMax = largeBodyWaitMax / turn

it.layer(service)("the large bodies of an account", (it) => {
  it.effect("are read in turn, while small ones and those of others are read at once", () =>
    Effect.gen(function* () {
      const send = yield* Host
      const { key } = yield* makeTenant()
      const other = yield* makeTenant()
      const statusOf = (init: RequestInit) => Effect.map(send(executions, init), ({ status }) => status)

      const first = yield* statusOf(sending(key.key, large))
      const second = yield* Effect.forkChild(statusOf(sending(key.key, large)), { startImmediately: true })

      const small = yield* statusOf(sending(key.key, largeBodyMin))
      const others = yield* statusOf(sending(other.key.key, large))
      assert.deepStrictEqual([first, small, others], [422, 422, 422])
      yield* TestClock.adjust(turn - 1)
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* Fiber.join(second), 422)
    })
  )

  it.effect.each([
    ["of the largest size", {}],
    ["that do not say how large they are", { "transfer-encoding": "chunked" }]
  ] as const)("are refused when too many wait: bodies %s", ([, headers]) =>
    Effect.gen(function* () {
      const send = yield* Host
      const { key } = yield* makeTenant()
      const ask = send(executions, sending(key.key, "transfer-encoding" in headers ? 2 : large, headers))
      const waiting = yield* Effect.forEach(Array.from({ length: waitingMax + 1 }), () =>
        Effect.forkChild(ask, { startImmediately: true })
      )

      const refused = yield* ask

      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "1"])
      assert.isNotNull(refused.headers.get("ratelimit-remaining"))
      const { code, details } = yield* errorOf(refused)
      assert.strictEqual(code, "rate_limited")
      assert.deepStrictEqual(details, {
        reason: "large_bodies",
        limit: largeBodyRate,
        retry_after_seconds: 1
      })
      yield* TestClock.adjust(largeBodyWaitMax)
      const answers = yield* Effect.forEach(waiting, (each) => Fiber.join(each))
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([422]))
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { shutDown } from "../src/Shutdown.ts"

describe("shutDown", () => {
  it.effect("asks once, and returns when the server is gone", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []

      yield* shutDown({ send: (signal) => sent.push(signal), gone: Effect.void })

      assert.deepStrictEqual(sent, ["SIGINT"])
    })
  )

  it.effect("asks harder and harder, and is over after ten seconds", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const server = { send: (signal: string) => sent.push(signal), gone: Effect.never }
      const fiber = yield* Effect.forkChild(shutDown(server), { startImmediately: true })

      yield* TestClock.adjust("10 seconds")

      yield* Fiber.join(fiber)
      assert.deepStrictEqual(sent, ["SIGINT", "SIGQUIT", "SIGKILL"])
    })
  )
})

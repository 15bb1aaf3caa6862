import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Ref from "effect/Ref"
import { whenNeeded } from "../../src/documents/CachedDocument.ts"

describe("whenNeeded", () => {
  it.effect("begins at the first need, tries again after a failure, and keeps what succeeded", () =>
    Effect.gen(function* () {
      const tries = yield* Ref.make(0)
      const making = Effect.flatMap(
        Ref.updateAndGet(tries, (count) => count + 1),
        (count) => (count > 1 ? Effect.succeed(count) : Effect.fail("not yet"))
      )

      const made = yield* whenNeeded(making)
      const before = yield* Ref.get(tries)
      const failed = yield* Effect.exit(made)
      const results = [yield* made, yield* made]

      assert.deepStrictEqual([before, Exit.isFailure(failed), results], [0, true, [2, 2]])
    })
  )
})

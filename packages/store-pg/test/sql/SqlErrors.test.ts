import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { ConnectionError, DeadlockError, SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { idempotentOrDefect, orDefect } from "../../src/sql/SqlErrors.ts"

const collision = new SqlError({ reason: new DeadlockError({ cause: undefined }) })
const loss = new SqlError({ reason: new ConnectionError({ cause: undefined }) })

/** A method that goes wrong so many times, and counts how often it was tried. */
const failing = (times: number, error: SqlError) => {
  const tries = { count: 0 }
  const method = Effect.suspend(() => (tries.count++ < times ? Effect.fail(error) : Effect.succeed("done")))
  return { tries, method }
}

const defectIn = (exit: Exit.Exit<unknown>) => Exit.isFailure(exit) && Cause.squash(exit.cause)

describe("orDefect", () => {
  it.effect("tries again while others come in between", () =>
    Effect.gen(function* () {
      const { method } = failing(5, collision)

      assert.strictEqual(yield* orDefect(method), "done")
    })
  )

  it.effect("gives way after the sixth time", () =>
    Effect.gen(function* () {
      const { method, tries } = failing(6, collision)

      const exit = yield* Effect.exit(orDefect(method))

      assert.strictEqual(defectIn(exit), collision)
      assert.strictEqual(tries.count, 6)
    })
  )

  it.effect("tries nothing again whose connection was lost: it may have been stored", () =>
    Effect.gen(function* () {
      const { method, tries } = failing(1, loss)

      yield* Effect.exit(orDefect(method))

      assert.strictEqual(tries.count, 1)
    })
  )
})

describe("idempotentOrDefect", () => {
  it.effect("tries once more when the connection was lost", () =>
    Effect.gen(function* () {
      const [once, twice] = [failing(1, loss), failing(2, loss)]
      const ends = yield* Effect.forkChild(
        Effect.all([once, twice].map(({ method }) => Effect.exit(idempotentOrDefect(method)))),
        { startImmediately: true }
      )
      yield* TestClock.adjust("1 second")
      const [first, second] = yield* Fiber.join(ends)

      assert.deepStrictEqual(first, Exit.succeed("done"))
      assert.isTrue(second !== undefined && Exit.isFailure(second))
      assert.deepStrictEqual([once.tries.count, twice.tries.count], [2, 2])
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import { AuthenticationError, ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { awaited } from "../../src/storage/AwaitedDatabase.ts"
import type { DatabaseFailure } from "../../src/storage/DatabaseProblem.ts"

const said = (message: string, code: string) => ({ cause: Object.assign(new Error(message), { code }) })

const starting = new SqlError({
  reason: new UnknownError(said("the database system is starting up", "57P03"))
})

/** A database that refuses so often before it takes somebody, and what became of who waits for it. */
const waitFor = Effect.fnUntraced(function* (failure: DatabaseFailure, refusals: number) {
  const lines: Array<string> = []
  let tries = 0
  const use = Effect.suspend(() => (++tries > refusals ? Effect.succeed("taken") : Effect.fail(failure)))
  const fiber = yield* awaited(use).pipe(
    Effect.provide(
      Logger.layer([Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))])
    ),
    Effect.forkChild({ startImmediately: true })
  )
  return { fiber, lines, tries: () => tries }
})

describe("the start of a process whose database refuses for now", () => {
  it.effect("waits for it, and says so once", () =>
    Effect.gen(function* () {
      const { fiber, lines } = yield* waitFor(starting, 20)

      yield* TestClock.adjust("10 seconds")

      assert.strictEqual(yield* Fiber.join(fiber), "taken")
      assert.lengthOf(lines, 1)
      assert.match(
        lines[0] ?? "",
        /^Waiting 30s at most, since .* \(57P03: the database system is starting up\)/
      )
    })
  )

  it.effect("gives up after 30 seconds", () =>
    Effect.gen(function* () {
      const { fiber, lines } = yield* waitFor(starting, 1_000)

      yield* TestClock.adjust("29 seconds")
      const isWaiting = fiber.pollUnsafe() === undefined
      yield* TestClock.adjust("2 seconds")

      assert.isTrue(isWaiting)
      assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail(starting))
      assert.lengthOf(lines, 1)
    })
  )

  it.effect.each([
    new SqlError({ reason: new AuthenticationError(said("password authentication failed", "28P01")) }),
    new SqlError({ reason: new ConnectionError(said("connect ECONNREFUSED", "ECONNREFUSED")) }),
    new SqlError({ reason: new ConnectionError(said("unsupported startup parameter", "08P01")) }),
    new SqlError({ reason: new UnknownError(said('database "orders" does not exist', "3D000")) })
  ])("is refused at once for what waiting does not mend: %s", (failure) =>
    Effect.gen(function* () {
      const { fiber, lines, tries } = yield* waitFor(failure, 1)

      assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail(failure))
      assert.strictEqual(tries(), 1)
      assert.deepStrictEqual(lines, [])
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { TestClock } from "effect/testing"
import { gathered, gatheredMax, gatheringMax, piecesOf } from "../../src/logging/BufferedLog.ts"

const plain = Logger.make<unknown, string>(({ message }) => String(message))

/** Logs of a program, as they are written. */
const writtenBy = (program: (written: ReadonlyArray<string>) => Effect.Effect<void>) =>
  Effect.suspend(() => {
    const written: Array<string> = []
    const logger = Logger.layer([gathered(plain, (text) => written.push(text))])
    return Effect.as(Effect.provide(program(written), Layer.fresh(logger)), written)
  })

describe("GatheredLines", () => {
  it.effect("writes the lines of a moment together", () =>
    Effect.gen(function* () {
      const written = yield* writtenBy((before) =>
        Effect.gen(function* () {
          yield* Effect.logInfo("one")
          yield* Effect.logInfo("two")
          assert.deepStrictEqual(before, [])
          yield* TestClock.adjust(gatheringMax)
          yield* Effect.logInfo("three")
          yield* TestClock.adjust(gatheringMax)
        })
      )

      assert.deepStrictEqual(written, ["one\ntwo\n", "three\n"])
    })
  )

  it.effect("writes a warning at once, and what came before it", () =>
    Effect.gen(function* () {
      const written = yield* writtenBy((before) =>
        Effect.gen(function* () {
          yield* Effect.logInfo("calm")
          yield* Effect.logWarning("alarm")
          assert.deepStrictEqual(before, ["calm\nalarm\n"])
        })
      )

      assert.deepStrictEqual(written, ["calm\nalarm\n"])
    })
  )

  it.effect("writes what is left when it ends", () =>
    Effect.gen(function* () {
      const written = yield* writtenBy(() => Effect.logInfo("goodbye"))

      assert.deepStrictEqual(written, ["goodbye\n"])
    })
  )

  it.effect("bounds how many may wait", () =>
    Effect.gen(function* () {
      const line = "x".repeat(gatheredMax - 1)

      yield* writtenBy((before) =>
        Effect.gen(function* () {
          yield* Effect.logInfo(line)
          assert.deepStrictEqual(before, [`${line}\n`])
        })
      )
    })
  )

  it("is divided between lines for a pipe that others write to as well", () => {
    const lines = [4_000, 96, 5_000, 50, 4_046, 1].map((length) => `${"x".repeat(length - 1)}\n`)

    const pieces = piecesOf(lines.join(""))

    assert.deepStrictEqual(
      pieces.map(({ length }) => length),
      [4_096, 5_000, 4_096, 1]
    )
    assert.strictEqual(pieces.join(""), lines.join(""))
  })
})

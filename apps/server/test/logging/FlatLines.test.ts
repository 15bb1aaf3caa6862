import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { flatLines } from "../../src/logging/FlatLines.ts"

/** What the one line of the program says, but when. */
const lineOf = (program: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    yield* Effect.provide(program, Logger.layer([Logger.map(flatLines, (line) => void lines.push(line))]))
    assert.lengthOf(lines, 1)
    assert.notInclude(lines[0] ?? "", "\n")
    const { timestamp, ...rest } = JSON.parse(lines[0] ?? "")
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    return rest
  })

describe("lines of the log", () => {
  it.effect("have every field at the top, whatever way it was given", () =>
    Effect.gen(function* () {
      const line = yield* lineOf(
        Effect.logInfo("Request", { status: 200 }).pipe(
          Effect.annotateLogs({ accountId: "a", progress: { percent: 40 }, roles: ["api"] })
        )
      )

      assert.deepStrictEqual(line, {
        level: "info",
        message: "Request",
        status: 200,
        account_id: "a",
        progress_percent: 40,
        roles: '["api"]'
      })
    })
  )

  it.effect("have a field of every name, and of what has no text of its own", () =>
    Effect.gen(function* () {
      const given = JSON.parse(`{ "__proto__": "a", "nothing": null }`)

      const line = yield* lineOf(Effect.logInfo("Given", given, { at: 1n }))

      assert.deepStrictEqual(Object.entries(line).slice(2), [
        ["__proto__", "a"],
        ["nothing", null],
        ["at", "1n"]
      ])
    })
  )

  it.effect("keep their standing fields from those given", () =>
    Effect.gen(function* () {
      const line = yield* lineOf(Effect.logWarning("Careful", { level: "calm", message: "All is well" }))

      assert.deepStrictEqual(line, {
        level: "warn",
        message: "Careful",
        field_level: "calm",
        field_message: "All is well"
      })
    })
  )

  it.effect.each([
    { how: "as the cause", fault: Cause.die(new TypeError("the disk is on fire")) },
    { how: "as a part", fault: new TypeError("the disk is on fire") }
  ])("tell an error, given $how, in words and with its place", ({ fault }) =>
    Effect.gen(function* () {
      const { error, level, message, stack } = yield* lineOf(Effect.logError("Request failed", fault))

      assert.deepStrictEqual(
        [level, message, error],
        ["error", "Request failed", "TypeError: the disk is on fire"]
      )
      assert.include(stack, "FlatLines.test.ts")
    })
  )

  it.effect("hide what is secret, and take what JSON has no form for", () =>
    Effect.gen(function* () {
      const line = yield* lineOf(Effect.logInfo("Key", { key: Redacted.make("sesame"), size: 10n }))

      assert.notInclude(JSON.stringify(line), "sesame")
      assert.strictEqual(line.message, "Key")
    })
  )
})

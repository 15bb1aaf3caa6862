import type { ExecutionLogLine } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { isShown, linesMax, textOf, withLines } from "../../../src/views/executions/LogLines.ts"

const line = (sequence: number, level = "info"): ExecutionLogLine => ({
  sequence,
  level,
  at: "2026-11-26T22:30:00.000Z",
  message: `line ${sequence}`,
  attempt: 1
})

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => line(from + at))

describe("the lines of a log", () => {
  it("come once, however often an answer is repeated", () => {
    assert.deepStrictEqual(withLines(lines(1, 3), lines(2, 4)), lines(1, 4))
  })

  it("are the newest ones, as many as are kept", () => {
    const all = withLines(lines(1, linesMax), lines(linesMax + 1, linesMax + 200))

    assert.deepStrictEqual(all, lines(201, linesMax + 200))
  })

  it("are chosen by the least level, and shown where the level is not known", () => {
    const shown = ["debug", "info", "warn", "error", "fatal"].filter((level) =>
      isShown(line(1, level), "warn")
    )

    assert.deepStrictEqual(shown, ["warn", "error", "fatal"])
  })

  it("are copied with their time and level", () => {
    assert.strictEqual(textOf([line(7, "warn")]), "2026-11-26T22:30:00.000Z WARN line 7\n")
  })
})

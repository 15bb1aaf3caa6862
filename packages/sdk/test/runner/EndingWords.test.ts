import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { againIn, endOf, type Reported, stopOf } from "../../src/runner/EndingWords.ts"
import { StoppedError, type StopKind } from "../../src/runner/Stopping.ts"

/** The runner for Python is held to the same file. */
const words: {
  readonly again_in: ReadonlyArray<readonly [Reported["ending"], string]>
  readonly end_of: ReadonlyArray<readonly [Reported["outcome"], Reported["ending"], string]>
  readonly stop_of: ReadonlyArray<readonly [StopKind, string, string]>
} = JSON.parse(readFileSync(new URL("../../../sdk-python/test/ending_words.json", import.meta.url), "utf8"))

describe("the log of a runner", () => {
  it("says when another attempt follows", () => {
    for (const [ending, expected] of words.again_in)
      assert.strictEqual(againIn(ending ?? undefined), expected)
  })

  it("says how work ended", () => {
    for (const [outcome, ending, expected] of words.end_of)
      assert.strictEqual(endOf({ outcome, ending }), expected)
    for (const [kind, message, expected] of words.stop_of)
      assert.strictEqual(stopOf(new StoppedError(kind, message)), expected)
    assert.strictEqual(stopOf(new Error("no paper")), "no paper")
  })
})

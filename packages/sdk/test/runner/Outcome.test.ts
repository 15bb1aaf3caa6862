import { assert, describe, it } from "vitest"
import { messageOf, outcomeOfFailure, stackOf } from "../../src/runner/Outcome.ts"

const unreadable = {
  get message(): string {
    throw new Error("not to be read")
  }
}

describe("what is said of whatever was thrown", () => {
  it.each([
    ["an error", new TypeError("no paper"), "no paper"],
    ["an object with a message, as of another realm", { message: "no paper" }, "no paper"],
    ["a text", "no paper", "no paper"],
    ["nothing", undefined, "failed without a message"],
    ["an error without words", new Error(" "), "failed without a message"],
    ["an object that cannot be a text", Object.create(null), "failed without a message"],
    ["an object that cannot be read", unreadable, "failed without a message"],
    ["half a character", new Error("cut off: \u{1F600}".slice(0, -1)), "cut off: \uFFFD"],
    ["more than the service takes", new Error("\u{1F600}".repeat(1_000_000)), "\u{1F600}".repeat(4_000)]
  ])("are its words: %s", (_, thrown, words) => {
    const message = messageOf(thrown)

    assert.strictEqual(message, words)
    assert.deepStrictEqual(outcomeOfFailure(thrown), {
      outcome: "error",
      error: { message, retryable: false }
    })
  })

  it("has the stacks of all causes, within bounds", () => {
    const chain = new Error("first", { cause: new Error("second", { cause: "third" }) })
    const endless: { cause?: unknown } & Error = new Error("round and round")
    endless.cause = endless

    assert.match(
      stackOf(chain),
      /^Error: first\n +at [^]*\ncaused by: Error: second\n +at [^]*\ncaused by: third$/
    )
    assert.isAtMost(stackOf(endless).split("caused by").length, 10)
    assert.strictEqual(stackOf(new Error("x".repeat(1_000_000))).length, 16_000)
  })

  it("has none of what else an error carries, such as the headers of a request", () => {
    const failed = Object.assign(new Error("refused"), { config: { authorization: "Bearer secret" } })

    assert.notInclude(stackOf(failed), "secret")
  })
})

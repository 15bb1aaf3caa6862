import { assert, describe, it } from "vitest"
import type { LogEntry } from "../../src/call/Log.ts"
import { outageWatch, type RunnerProblem } from "../../src/runner/Reporting.ts"

const watched = () => {
  const problems = new Array<RunnerProblem>()
  const watch = outageWatch({ log: () => {}, problem: (problem) => problems.push(problem) })
  const tell = (fields: Partial<LogEntry>) =>
    watch({
      event: "retry",
      method: "POST",
      path: "/claims",
      attempt: 1,
      durationMs: 1,
      status: 429,
      requestId: null,
      ...fields
    })
  return { problems, tell }
}

describe("what a runner tells of the limits of its key", () => {
  it("is that no session opens yet, once until one does", () => {
    const { problems, tell } = watched()

    tell({ path: "/sessions", problem: "too many sessions" })
    tell({ path: "/sessions", problem: "too many sessions" })
    tell({ path: "/sessions", event: "response", status: 201 })
    tell({ path: "/sessions", problem: "again" })

    assert.deepStrictEqual(problems, [
      { kind: "held_back", message: "too many sessions" },
      { kind: "held_back", message: "again" }
    ])
  })

  it("is nothing where it only has to wait a moment", () => {
    const { problems, tell } = watched()

    tell({ path: "/claims" })
    tell({ path: "/executions/1/start" })

    assert.deepStrictEqual(problems, [])
  })
})

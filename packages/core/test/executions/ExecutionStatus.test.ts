import { assert, describe, it } from "@effect/vitest"
import {
  canTransition,
  ExecutionStatus,
  isLive,
  isTerminal,
  targetsOf
} from "../../src/executions/ExecutionStatus.ts"

const statuses = ExecutionStatus.literals

const sourcesOf = (to: ExecutionStatus) => statuses.filter((from) => canTransition(from, to))

describe("ExecutionStatus", () => {
  it("lets nothing happen to a finished execution", () => {
    const finished = statuses.filter(isTerminal)

    assert.deepStrictEqual(finished, ["completed", "cancelled", "aborted", "error"])
    for (const status of finished) assert.deepStrictEqual(targetsOf(status), [])
  })

  it("counts every execution that is not finished as live", () => {
    const live = statuses.filter(isLive)

    assert.deepStrictEqual(live, ["pending", "queued", "running", "awaiting_input"])
  })

  it("lets a caller stop an execution wherever it is, until it is finished", () => {
    assert.deepStrictEqual(sourcesOf("aborted"), statuses.filter(isLive))
    assert.deepStrictEqual(sourcesOf("cancelled"), statuses.filter(isLive))
  })

  it("stays in no status by a move, and goes back to none but queued and running", () => {
    for (const status of statuses) assert.isFalse(canTransition(status, status))
    assert.deepStrictEqual(sourcesOf("pending"), [])
  })
})

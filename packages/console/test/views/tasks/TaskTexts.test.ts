import { assert, describe, it } from "vitest"
import { changesOf, textsOf } from "../../../src/views/tasks/TaskTexts.ts"

const task = {
  name: "Book a dock slot",
  description: "Once a month",
  timeout_seconds: null,
  retry: { max_attempts: 1, initial_seconds: 10, factor: 2, max_seconds: 600, jitter: 0.2 }
}

describe("what is typed of a task", () => {
  it("says as it stands what the task is", () => {
    assert.deepStrictEqual(changesOf(textsOf(task), task.retry.jitter), task)
  })

  it("has no time limit where none is typed, and waits as the service does where none is", () => {
    const texts = { ...textsOf({ ...task, timeout_seconds: 60 }), timeout: " ", first: "", longest: "" }

    const { retry, timeout_seconds } = changesOf(texts, 0)

    assert.isNull(timeout_seconds)
    assert.deepStrictEqual(retry, { max_attempts: 1, factor: 2, jitter: 0 })
  })
})

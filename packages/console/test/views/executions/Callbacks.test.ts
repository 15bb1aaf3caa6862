import { assert, describe, it } from "vitest"
import { callbackMarks, type CallbackFacts } from "../../../src/views/executions/Callbacks.ts"

const mark = (state: string, attempts = 1): CallbackFacts["callbacks"][number] => ({
  event_id: "e",
  type: "execution.queued",
  state,
  attempts,
  last_status: null,
  created_at: "2026-11-22T01:00:00.000Z",
  settled_at: null
})

const telling = (fields: Partial<CallbackFacts>): CallbackFacts => ({
  status: "queued",
  callback_url: "https://receiver.example/hook",
  callback_events: null,
  callbacks: [],
  ...fields
})

describe("the callbacks of an execution at a glance", () => {
  it("are none where nobody is told", () => {
    assert.deepStrictEqual(callbackMarks(telling({ callback_url: null })), {
      delivered: 0,
      failed: 0,
      toCome: 0
    })
  })

  it("are delivered, failed or to come, an end counted once", () => {
    const running = telling({ status: "running", callbacks: [mark("delivered"), mark("pending", 3)] })

    assert.deepStrictEqual(callbackMarks(running), { delivered: 1, failed: 1, toCome: 1 })
  })

  it("count what was not sent yet as to come, and a dead letter as failed", () => {
    const done = telling({ status: "completed", callbacks: [mark("dead", 12), mark("pending", 0)] })

    assert.deepStrictEqual(callbackMarks(done), { delivered: 0, failed: 1, toCome: 1 })
  })

  it("are those that were asked for alone", () => {
    const quiet = telling({ callback_events: ["execution.started"], callbacks: [] })

    assert.deepStrictEqual(callbackMarks(quiet), { delivered: 0, failed: 0, toCome: 1 })
  })
})

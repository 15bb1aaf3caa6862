import type { Receiver } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { boundedWords } from "../../../src/format/Amounts.ts"
import { receiverStatus } from "../../../src/views/receivers/ReceiverWords.ts"

const receiver: Receiver = {
  origin: "https://hooks.example.com",
  state: "healthy",
  until: null,
  delivered_24h: 5,
  failed_24h: 0,
  waiting: 0,
  dead: 0,
  last_success_at: "2026-11-22T01:00:00.000Z",
  last_failure_at: null,
  last_failure: null
}

describe("the word for a receiver", () => {
  it.each([
    ["unauthorized", 401, "Refuses the signature (401)"],
    ["server_error", 503, "Failing (503)"],
    ["dns", null, "Address not found"],
    ["a cause of a later version", null, "A cause of a later version"],
    [null, null, "Failing"]
  ])("that fails with %s is %s %s", (cause, status, word) => {
    const last_failure = { cause, status }

    assert.deepStrictEqual(
      ["open", "failing"].map((state) => receiverStatus({ ...receiver, state, last_failure })),
      [
        { of: "failing", word },
        { of: "failing", word }
      ]
    )
  })

  it("that asked for a pause says so, and of any other state is that of its state", () => {
    assert.deepStrictEqual(
      ["paused", "healthy", "of a later version"].map((state) => receiverStatus({ ...receiver, state })),
      [{ of: "paused", word: "Asked for a pause" }, { of: "healthy" }, { of: "of a later version" }]
    )
  })

  it("says where counting ended", () => {
    assert.deepStrictEqual(
      [boundedWords(999), boundedWords(1_000), boundedWords(1_000, 10_000)],
      ["999", "1,000+", "1,000"]
    )
  })
})

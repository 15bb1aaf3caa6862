import { assert, describe, it } from "@effect/vitest"
import { callbacksKept, charactersKept, newest } from "../../src/demo/Inbox.ts"
import type { InboxItem } from "../../src/demo/InboxItem.ts"

const itemOf = (number: number, body: unknown = { type: "execution.queued" }): InboxItem => ({
  number,
  received_at: "2026-01-02T03:04:05.678Z",
  verified: true,
  problem: null,
  attempt: "1",
  body
})

describe("what the inbox keeps", () => {
  it("is the last ones by number", () => {
    const items = Array.from({ length: callbacksKept + 5 }, (_, index) => itemOf(index + 1))

    assert.deepStrictEqual(newest(items), items.slice(5))
  })

  it("is the last ones by size, and always the newest", () => {
    const large = "x".repeat(charactersKept / 2)

    assert.deepStrictEqual(newest([itemOf(1, large), itemOf(2, large), itemOf(3)]), [
      itemOf(2, large),
      itemOf(3)
    ])
    assert.deepStrictEqual(newest([itemOf(1), itemOf(2, large + large)]), [itemOf(2, large + large)])
  })
})

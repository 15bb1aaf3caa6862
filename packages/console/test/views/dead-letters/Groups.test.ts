import { assert, describe, it } from "vitest"
import { atLeastWords, filterOf, groupHref, typeWords } from "../../../src/views/dead-letters/Groups.ts"

const group = {
  origin: "https://hooks.example:8443",
  cause: "unauthorized",
  dead: 214,
  is_more: false,
  oldest_at: "2026-11-19T01:42:00.000Z",
  newest_at: "2026-11-19T03:31:00.000Z",
  types: { "execution.queued": 72, "webhook.test": 1, "execution.failed": 141 }
}

describe("a group of dead letters", () => {
  it("is replayed and listed by its receiver and cause", () => {
    assert.deepStrictEqual(filterOf(group), {
      status: ["dead"],
      url_origin: "https://hooks.example:8443",
      cause: "unauthorized"
    })
    assert.strictEqual(
      groupHref(group),
      "/integrations/deliveries?state=dead&origin=https%3A%2F%2Fhooks.example%3A8443&cause=unauthorized"
    )
  })

  it("with a cause of a later version is not told apart", () => {
    assert.isUndefined(filterOf({ ...group, cause: "moon_phase" }))
  })

  it("says how many of which events, the most first", () => {
    assert.strictEqual(typeWords(group.types), "141 failed, 72 queued, 1 test")
  })

  it("says when there are more than were counted", () => {
    assert.deepStrictEqual([atLeastWords(8_260, false), atLeastWords(10_000, true)], ["8,260", "10,000+"])
  })
})

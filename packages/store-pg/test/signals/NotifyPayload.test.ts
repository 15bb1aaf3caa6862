import { assert, describe, it } from "@effect/vitest"
import { AccountId, SessionId } from "@runhook/core/shared/Ids"
import { heardIn, noticesOf } from "@runhook/store-pg/signals/NotifyPayload"
import * as Array from "effect/Array"
import * as Schema from "effect/Schema"
import { AnyTopic, topicOf } from "./AnyTopic.ts"

const Topics = Schema.Array(AnyTopic)

const [origin, self] = ["019a0000-0000-7000-8000-000000000001", "019a0000-0000-7000-8000-000000000002"]

describe("NotifyPayload", () => {
  it.prop("says in another process what was told, in the same order", [Topics], ([drawn]) => {
    const topics = drawn.map(topicOf)

    const notices = noticesOf(origin, topics)

    assert.deepStrictEqual(
      notices.flatMap((notice) => heardIn(notice, { self }).topics),
      topics
    )
  })

  it.prop("says nothing to the process that told it", [Topics], ([drawn]) => {
    const notices = noticesOf(self, drawn.map(topicOf))

    assert.deepStrictEqual(
      notices.flatMap((notice) => heardIn(notice, { self }).topics),
      []
    )
  })

  it("is shorter than PostgreSQL allows, also of the longest topics", () => {
    const topics = Array.replicate(topicOf({ kind: "changed", id: origin }), 1_000)

    const notices = noticesOf(origin, topics)

    assert.isBelow(Math.max(...notices.map((notice) => notice.length)), 8_000)
    assert.strictEqual(notices.flatMap((notice) => heardIn(notice, { self }).topics).length, 1_000)
  })

  it("takes what it does not know for the word of another version", () => {
    const notice = `${origin} deliveries weather agent:7 draining session:${origin} changed:${origin}:agent:7 watching:me`

    const heard = heardIn(notice, { self })

    assert.deepStrictEqual(heard, {
      topics: ["deliveries", `session:${SessionId.make(origin)}`],
      watched: []
    })
  })

  it("says which accounts the process watches", () => {
    const accountId = AccountId.make(origin)
    const [notice = ""] = noticesOf(origin, [`watching:${accountId}`, "sweeps"])

    const heard = heardIn(notice, { self })

    assert.deepStrictEqual(heard, { topics: ["sweeps"], watched: [accountId] })
  })

  it.prop("is heard without harm, whatever somebody else sends on the channel", [Schema.String], ([text]) => {
    const heard = heardIn(text, { self })

    assert.isArray(heard.topics)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { SessionId } from "@runhook/core/shared/Ids"
import { DeliveredNews } from "@runhook/core/runs/sessions/DeliveredNews"

const [first, second, third] = [
  SessionId.make("01941f29-7c00-7000-8000-000000000001"),
  SessionId.make("01941f29-7c00-7000-8000-000000000002"),
  SessionId.make("01941f29-7c00-7000-8000-000000000003")
]

describe("DeliveredNews", () => {
  it("remembers what a session was delivered last, and nothing before", () => {
    const delivered = new DeliveredNews(2)
    delivered.note(first, ["a"])

    delivered.note(first, ["b", "c"])

    assert.deepStrictEqual([...delivered.to(first)], ["b", "c"])
    assert.deepStrictEqual([...delivered.to(second)], [])
  })

  it("forgets the session that was delivered something longest ago", () => {
    const delivered = new DeliveredNews(2)
    delivered.note(first, ["a"])
    delivered.note(second, ["b"])
    delivered.note(first, ["c"])

    delivered.note(third, ["d"])

    assert.deepStrictEqual(
      [first, second, third].map((id) => [...delivered.to(id)]),
      [["c"], [], ["d"]]
    )
  })

  it("keeps no place for a session without news", () => {
    const delivered = new DeliveredNews(1)
    delivered.note(first, ["a"])

    delivered.note(second, [])

    assert.deepStrictEqual([...delivered.to(first)], ["a"])
  })
})

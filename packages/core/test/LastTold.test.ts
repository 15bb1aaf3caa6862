import { assert, describe, it } from "@effect/vitest"
import { SessionId } from "@runhook/core/domain/Ids"
import { LastTold } from "@runhook/core/LastTold"

const [first, second, third] = [
  SessionId.make("01941f29-7c00-7000-8000-000000000001"),
  SessionId.make("01941f29-7c00-7000-8000-000000000002"),
  SessionId.make("01941f29-7c00-7000-8000-000000000003")
]

describe("LastTold", () => {
  it("remembers what a session was told last, and nothing before", () => {
    const told = new LastTold(2)
    told.note(first, ["a"])

    told.note(first, ["b", "c"])

    assert.deepStrictEqual([...told.to(first)], ["b", "c"])
    assert.deepStrictEqual([...told.to(second)], [])
  })

  it("forgets the session that was told something longest ago", () => {
    const told = new LastTold(2)
    told.note(first, ["a"])
    told.note(second, ["b"])
    told.note(first, ["c"])

    told.note(third, ["d"])

    assert.deepStrictEqual(
      [first, second, third].map((id) => [...told.to(id)]),
      [["c"], [], ["d"]]
    )
  })

  it("keeps no place for a session without news", () => {
    const told = new LastTold(1)
    told.note(first, ["a"])

    told.note(second, [])

    assert.deepStrictEqual([...told.to(first)], ["a"])
  })
})

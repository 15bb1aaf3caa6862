import { assert, describe, it } from "@effect/vitest"
import type { AccountChange, ChangedKind } from "@runhook/core/accounts/AccountChange"
import { AccountId } from "@runhook/core/shared/Ids"
import { ChangeRing, type News } from "@runhook/core/accounts/ChangeRing"

const accountId = AccountId.make("019a0000-0000-7000-8000-000000000001")

const makeChange = (id: string, state = "queued", isNew = false): AccountChange => ({
  accountId,
  kind: "execution",
  thing: { id, state, isNew }
})

const someOf = (kind: ChangedKind): AccountChange => ({ accountId, kind, thing: null })

const told = (news: ReadonlyArray<News>) =>
  news.map((each) =>
    each._tag === "Changed"
      ? [each.change.thing.id, each.change.thing.state, each.change.thing.isNew].join(" ")
      : each._tag === "Many"
        ? `many ${each.kinds.join(" ")}`
        : "reset"
  )

describe("ChangeRing", () => {
  it("tells what came after a position, and nothing once that was read", () => {
    const ring = new ChangeRing("ring")
    ring.add(makeChange("one"))
    const { position } = ring
    ring.add(makeChange("two"))
    ring.add(makeChange("three"))

    const first = ring.since(position)
    const again = ring.since(first.position)

    assert.deepStrictEqual(told(first.news), ["two queued false", "three queued false"])
    assert.deepStrictEqual(again, { news: [], position: first.position })
  })

  it("tells a thing once, as it was told last, and as new if it was new at any time", () => {
    const ring = new ChangeRing("ring")
    const { position } = ring
    ring.add(makeChange("one", "queued", true))
    ring.add(makeChange("two"))
    ring.add(makeChange("one", "running"))

    const { news } = ring.since(position)

    assert.deepStrictEqual(told(news), ["two queued false", "one running true"])
  })

  it("tells of some of a kind in place of its things", () => {
    const ring = new ChangeRing("ring")
    const { position } = ring
    ring.add(makeChange("one"))
    ring.add(someOf("agent"))
    ring.add(someOf("execution"))

    const { news } = ring.since(position)

    assert.deepStrictEqual(told(news), ["many agent execution"])
  })

  it("tells of more than a hundred things only what they are", () => {
    const ring = new ChangeRing("ring")
    const { position } = ring
    for (let index = 0; index < 100; index++) ring.add(makeChange(String(index)))
    const hundred = ring.since(position).news.length
    ring.add(makeChange("one more"))

    const { news } = ring.since(position)

    assert.strictEqual(hundred, 100)
    assert.deepStrictEqual(told(news), ["many execution"])
  })

  it("resets who comes from another ring, from further back than it knows, or from before something was lost", () => {
    const ring = new ChangeRing("ring")
    const first = ring.position
    for (let index = 0; index < 2_000; index++) ring.add(makeChange(String(index)))
    const last = ring.position
    const other = new ChangeRing("other")
    const ahead = ring.position.replace("2000", "2001")
    const known = ring.since(last).news
    const strangers = [first, other.position, ahead, "", "nonsense", "ring.0-", "ring.0-1e3"]

    const answers = strangers.map((position) => told(ring.since(position).news))
    ring.lose()
    const afterLoss = ring.since(last)

    assert.deepStrictEqual(known, [])
    assert.deepStrictEqual(
      answers,
      strangers.map(() => ["reset"])
    )
    assert.deepStrictEqual(told(afterLoss.news), ["reset"])
    assert.deepStrictEqual(ring.since(afterLoss.position).news, [])
  })

  it("keeps at least the last five hundred changes, however many there were", () => {
    const ring = new ChangeRing("ring")
    const positions: Array<string> = []
    for (let index = 0; index < 5_000; index++) {
      positions.push(ring.position)
      ring.add(makeChange("one", `s${index}`))
    }

    const kept = positions.filter((position) => ring.knows(position)).length

    assert.isAtLeast(kept, 500)
    assert.isBelow(kept, 1_100)
    assert.deepStrictEqual(told(ring.since(positions.at(-500) ?? "").news), ["one s4999 false"])
  })
})

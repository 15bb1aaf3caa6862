import { assert, describe, it } from "vitest"
import type { Change } from "../../src/live/Live.ts"
import { waitMs } from "../../src/live/ChangeStream.ts"
import { sseReader } from "../../src/live/Sse.ts"
import { readEvent } from "../../src/live/SharedStream.ts"

describe("a stream of events", () => {
  it("is read whatever pieces it comes in", () => {
    const text =
      'retry: 2000\n\n: beat\n\nid: p-1\nevent: change\ndata: {"kind":"key",\ndata: "id":"1"}\n\nevent: reset\ndata: {}\n\n'
    const expected = [
      { name: "change", id: "p-1", data: '{"kind":"key",\n"id":"1"}' },
      { name: "reset", id: undefined, data: "{}" }
    ]

    for (const size of [1, 2, 7, 1_000]) {
      const read = sseReader()
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size)
      )
      assert.deepStrictEqual(pieces.flatMap(read), expected, `${size} at a time`)
    }
  })
})

describe("what an event means", () => {
  const told = (name: string, data: unknown) => readEvent({ name, data: JSON.stringify(data), id: undefined })

  it("is nothing where the stream goes on, and to look anew where it begins or is reset", () => {
    assert.isUndefined(told("hello", { is_resumed: true }))
    assert.deepStrictEqual(told("hello", { is_resumed: false }), { _tag: "Anew", kinds: undefined })
    assert.deepStrictEqual(told("reset", {}), { _tag: "Anew", kinds: undefined })
    assert.deepStrictEqual(told("many", { kinds: ["delivery"] }), { _tag: "Anew", kinds: ["delivery"] })
    assert.isUndefined(told("something later", {}))
  })

  it("is a change of one thing", () => {
    const change: Change = { kind: "delivery", id: "1", state: "dead", is_new: false }

    assert.deepStrictEqual(told("change", change), { _tag: "Change", change })
  })
})

describe("the wait before another try", () => {
  it("grows to 15 seconds, and is shorter by chance for some", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4, 5, 50].map((failures) => waitMs(failures, 1)),
      [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]
    )
    assert.strictEqual(waitMs(4, 0), 12_000)
  })
})

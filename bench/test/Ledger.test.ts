import { assert, describe, it } from "@effect/vitest"
import { Ledger, lifecycleEvents } from "../src/soak/Ledger.ts"

const [queued, started, completed] = lifecycleEvents

const none = {
  created: 1,
  refused: 0,
  callbacks: 3,
  rejected: 0,
  doubled: 0,
  outOfOrder: 0,
  missing: 0,
  unknown: 0
}

describe("the ledger of a soak", () => {
  it.each([
    { what: "all in order", types: [queued, started, completed], counts: {} },
    { what: "one lost", types: [queued, completed], counts: { callbacks: 2, missing: 1 } },
    {
      what: "one doubled",
      types: [queued, queued, started, completed],
      counts: { callbacks: 4, doubled: 1 }
    },
    {
      what: "one again after all have come",
      types: [queued, started, completed, completed],
      counts: { callbacks: 4, doubled: 1 }
    },
    { what: "one too late", types: [queued, completed, started], counts: { outOfOrder: 1 } },
    {
      what: "one too late that comes again",
      types: [completed, queued, queued, started],
      counts: { callbacks: 4, doubled: 1, outOfOrder: 2 }
    },
    {
      what: "one of another type",
      types: [queued, started, completed, "execution.flown"],
      counts: { callbacks: 4, rejected: 1 }
    }
  ])("counts $what", ({ counts, types }) => {
    const ledger = new Ledger()

    ledger.acknowledge("one")
    for (const type of types) ledger.receive({ executionId: "one", type, lag: 1 })

    assert.deepStrictEqual(ledger.counts(), { ...none, ...counts })
  })

  it("takes a callback that comes before the answer of its creation", () => {
    const ledger = new Ledger()

    ledger.receive({ executionId: "one", type: queued, lag: 1 })
    const before = ledger.counts()
    ledger.acknowledge("one")

    assert.deepInclude(before, { missing: 0, unknown: 1 })
    assert.deepInclude(ledger.counts(), { missing: 2, unknown: 0 })
  })

  it("tells each lag once", () => {
    const ledger = new Ledger()
    ledger.receive({ executionId: "one", type: queued, lag: 7 })

    assert.deepStrictEqual([ledger.takeLags(), ledger.takeLags()], [[7], []])
  })
})

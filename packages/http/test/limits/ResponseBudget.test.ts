import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "@runhook/core/shared/Ids"
import { type Owner, ResponseBudget, responseLimits } from "../../src/limits/ResponseBudget.ts"

const idOf = (digit: number) => AccountId.make(`0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6${digit}`)
const [acme, bolt, cord] = [idOf(1), idOf(2), idOf(3)]
const inFlight = { account: 10, process: 25 }
const limits = { ...responseLimits, inFlight }

describe("the bytes in flight of a response budget", () => {
  it("have room for an account up to its limit, whoever else has none", () => {
    const budget = new ResponseBudget(limits)
    budget.add(acme, 8)

    assert.isTrue(budget.hasRoom(acme, 2))
    assert.isFalse(budget.hasRoom(acme, 3))
    assert.isTrue(budget.hasRoom(bolt, 3))
    assert.isTrue(budget.hasRoom(null, 3))
  })

  it("have room for the first of an account, however large it is and whatever others hold", () => {
    const budget = new ResponseBudget(limits)
    budget.add(acme, 30)

    assert.isTrue(budget.hasRoom(bolt, 11))
    budget.add(bolt, 1)
    assert.isFalse(budget.hasRoom(bolt, 1))
    assert.isTrue(budget.hasRoom(cord, 1))
  })

  it("are none when all have ended, in whatever order they begin, grow and end", () => {
    const budget = new ResponseBudget(limits)
    const owners = [acme, bolt, cord, null]
    const held = new Map<number, { readonly owner: Owner; readonly bytes: number }>()
    // A walk that looks random and is the same each time.
    let state = 1
    const next = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
    const resize = (id: number, owner: Owner, bytes: number) => {
      budget.add(owner, bytes - (held.get(id)?.bytes ?? 0))
      if (bytes === 0) held.delete(id)
      else held.set(id, { owner, bytes })
    }

    for (let step = 0; step < 5_000; step += 1) {
      const id = next(12)
      const begun = held.get(id)
      const owner = begun === undefined ? (owners[next(owners.length)] ?? null) : begun.owner
      resize(id, owner, next(3) === 0 ? 0 : 1 + next(12))
      const sum = [...held.values()].reduce((bytes, each) => bytes + each.bytes, 0)
      assert.strictEqual(budget.total, sum)
    }
    for (const [id, { owner }] of held) resize(id, owner, 0)

    assert.strictEqual(budget.total, 0)
    for (const owner of owners) assert.isTrue(budget.hasRoom(owner, inFlight.process + 1))
  })
})

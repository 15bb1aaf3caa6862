import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "@runhook/core/domain/Ids"
import { LargeAnswers, type Owner } from "../../src/limits/LargeAnswers.ts"

const idOf = (digit: number) => AccountId.make(`0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6${digit}`)
const [acme, bolt, cord] = [idOf(1), idOf(2), idOf(3)]
const limits = { account: 10, process: 25 }

describe("Large answers under way", () => {
  it("have room for an account up to its limit, whoever else has none", () => {
    const answers = new LargeAnswers(limits)
    answers.add(acme, 8)

    assert.isTrue(answers.hasRoom(acme, 2))
    assert.isFalse(answers.hasRoom(acme, 3))
    assert.isTrue(answers.hasRoom(bolt, 3))
    assert.isTrue(answers.hasRoom(null, 3))
  })

  it("have room for the first of an account, however large it is and whatever others hold", () => {
    const answers = new LargeAnswers(limits)
    answers.add(acme, 30)

    assert.isTrue(answers.hasRoom(bolt, 11))
    answers.add(bolt, 1)
    assert.isFalse(answers.hasRoom(bolt, 1))
    assert.isTrue(answers.hasRoom(cord, 1))
  })

  it("are none when all have ended, in whatever order they begin, grow and end", () => {
    const answers = new LargeAnswers(limits)
    const owners = [acme, bolt, cord, null]
    const held = new Map<number, { readonly owner: Owner; readonly bytes: number }>()
    // A walk that looks random and is the same each time.
    let state = 1
    const next = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
    const resize = (id: number, owner: Owner, bytes: number) => {
      answers.add(owner, bytes - (held.get(id)?.bytes ?? 0))
      if (bytes === 0) held.delete(id)
      else held.set(id, { owner, bytes })
    }

    for (let step = 0; step < 5_000; step += 1) {
      const id = next(12)
      const begun = held.get(id)
      const owner = begun === undefined ? (owners[next(owners.length)] ?? null) : begun.owner
      resize(id, owner, next(3) === 0 ? 0 : 1 + next(12))
      const sum = [...held.values()].reduce((bytes, each) => bytes + each.bytes, 0)
      assert.strictEqual(answers.total, sum)
    }
    for (const [id, { owner }] of held) resize(id, owner, 0)

    assert.strictEqual(answers.total, 0)
    for (const owner of owners) assert.isTrue(answers.hasRoom(owner, limits.process + 1))
  })
})

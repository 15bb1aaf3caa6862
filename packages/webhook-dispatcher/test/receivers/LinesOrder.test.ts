import { assert, describe, it } from "@effect/vitest"
import { Scene } from "./Scene.ts"

const seeds = 300
const movesPerSeed = 400

/** Numbers that look random and are the same for the same seed. */
const random = (seed: number) => {
  let state = seed * 2_654_435_761
  return (below: number): number => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

const moves = [
  "cause",
  "claim",
  "claim",
  "hear",
  "hear",
  "answer",
  "answer",
  "settle",
  "settle",
  "settle",
  "giveBack",
  "search",
  "wait",
  "interfere"
] as const

describe("Lines: the order of an execution's events", () => {
  it("is kept however claims, events that are handed over, results and returns follow each other", () => {
    let sent = 0
    for (let seed = 1; seed <= seeds; seed++) {
      const pick = random(seed)
      const scene = new Scene()
      for (let move = 0; move < movesPerSeed; move++) {
        scene[moves[pick(moves.length)] ?? "hear"](pick(1_000))
        scene.look()
      }
      scene.end()
      sent += scene.sent.length
      assert.deepStrictEqual(scene.faults, [], `seed ${seed}`)
    }
    assert.isAbove(sent, seeds * 10)
  })
})

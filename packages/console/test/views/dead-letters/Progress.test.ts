import { assert, describe, it } from "vitest"
import {
  guessWords,
  jobWords,
  leftMs,
  progressOf,
  progressWords
} from "../../../src/views/dead-letters/Progress.ts"

const begun = "2026-11-22T01:00:00.000Z"
const at = (seconds: number) => Date.parse(begun) + seconds * 1_000

const job = {
  status: "running",
  expected: 388,
  replayed: 320,
  delivered: 291,
  failed: 0,
  created_at: begun,
  finished_at: null
}
const completed = { ...job, status: "completed", replayed: 388, finished_at: "2026-11-22T01:00:10.000Z" }

describe("the progress of a replay", () => {
  it("is counted by what has an outcome, of what was expected", () => {
    assert.deepStrictEqual(progressOf(job), { done: 291, total: 388, left: 97, isUnderWay: true })
    assert.strictEqual(progressWords(job, at(120)), "291 delivered, 0 failed again, 97 to go, about 40 s")
  })

  it("has no end in sight while nobody knows how many there are", () => {
    const unknown = { ...job, expected: null }

    assert.deepStrictEqual(progressOf(unknown), { done: 291, total: null, left: 29, isUnderWay: true })
    assert.strictEqual(progressWords(unknown, at(120)), "291 delivered, 0 failed again, more to go")
  })

  it("is of what was replayed once all of it is due, and more than was expected is no problem", () => {
    assert.strictEqual(progressOf({ ...completed, expected: 1_000 }).total, 388)
    assert.strictEqual(progressOf({ ...job, expected: 10 }).total, 320)
  })

  it("is over when everything has an outcome", () => {
    const over = { ...completed, delivered: 380, failed: 8 }

    assert.isFalse(progressOf(over).isUnderWay)
    assert.strictEqual(progressWords(over, at(60)), "380 delivered, 8 failed again")
    assert.strictEqual(jobWords(over), "8 deliveries failed again")
    assert.strictEqual(jobWords({ ...over, delivered: 388, failed: 0 }), "All delivered")
  })

  it("guesses no time from little, nor once what is left waits for its receiver", () => {
    assert.isNull(leftMs({ ...job, delivered: 2 }, at(10)))
    assert.isNotNull(leftMs(completed, at(30)))
    assert.isNull(leftMs(completed, at(600)))
  })

  it("tells a replay that was stopped from one that goes on", () => {
    const stopped = { ...completed, status: "cancelled", replayed: 300 }

    assert.deepStrictEqual([job, stopped, { ...stopped, delivered: 300 }, completed].map(jobWords), [
      "Replaying",
      "Stopped, finishing the last ones",
      "Stopped",
      "All queued again"
    ])
  })
})

it("the time that a replay takes is said before, and never as nothing", () => {
  assert.match(guessWords(214), /^about 3 s/)
  assert.match(guessWords(0), /^about 1 s/)
})

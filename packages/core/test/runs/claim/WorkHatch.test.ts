import { assert, describe, it } from "@effect/vitest"
import { unchanged } from "@runhook/core/runs/Run"
import { WorkHatch } from "@runhook/core/runs/claim/WorkHatch"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { acceptedRun } from "../RunFixtures.ts"

const change = unchanged(acceptedRun())

/** A hatch, and how often it has woken its poll. */
const makeHatch = () => {
  let woken = 0
  const hatch = new WorkHatch(() => (woken += 1))
  return { hatch, woken: () => woken }
}

const kept = (hatch: WorkHatch) => hatch.reservePlace() ?? assert.fail("There is no place")

describe("A hatch for work", () => {
  it.effect("has a place for one at a time, and only while it is open", () =>
    Effect.gen(function* () {
      const { hatch } = makeHatch()
      const closed = hatch.reservePlace()
      hatch.open()

      const first = kept(hatch)
      const meanwhile = hatch.reservePlace()
      first.free()
      kept(hatch).begin(change)
      const full = hatch.reservePlace()

      assert.deepStrictEqual([closed, meanwhile, full], [null, null, null])
      assert.strictEqual(yield* hatch.close, change)
      assert.strictEqual(yield* hatch.close, undefined)
    })
  )

  it.effect("wakes its poll for work and in doubt, and for nothing that went elsewhere", () =>
    Effect.gen(function* () {
      const { hatch, woken } = makeHatch()
      hatch.open()
      kept(hatch).free()
      const freed = woken()
      kept(hatch).begin(change)
      const begun = woken()
      yield* hatch.close
      hatch.open()
      kept(hatch).doubt()

      assert.deepStrictEqual([freed, begun, woken()], [0, 1, 2])
      assert.strictEqual(hatch.reservePlace(), null)
    })
  )

  it.effect("is closed when it is known what became of the place that is kept", () =>
    Effect.gen(function* () {
      for (const [end, closed] of [
        ["begin", change],
        ["free", undefined],
        ["doubt", undefined]
      ] as const) {
        const { hatch, woken } = makeHatch()
        hatch.open()
        const place = kept(hatch)
        const closing = yield* Effect.forkChild(hatch.close, { startImmediately: true })
        assert.isUndefined(closing.pollUnsafe())

        place[end](change)

        assert.strictEqual(yield* Fiber.join(closing), closed)
        assert.deepStrictEqual([hatch.reservePlace(), woken()], [null, 0])
      }
    })
  )
})

/** What every PepperStore does. There is one pepper, so the tests of a store share it. */
import { assert } from "@effect/vitest"
import { PepperStore } from "@runhook/core/keys/sealing/PepperStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Stores } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("PepperStore", { layer, name }, (it) => {
    it.test("finds the pepper that is kept, and none before", function* () {
      const store = yield* PepperStore
      const before = yield* store.find

      const kept = yield* store.findOrKeep("the first pepper")

      assert.isNull(before)
      assert.strictEqual(yield* store.find, kept)
    })

    it.test("keeps one pepper for all that ask at once, and for all who ask later", function* () {
      const store = yield* PepperStore
      const offered = Array.from({ length: 10 }, (_, index) => `pepper ${index}`)

      const kept = yield* Effect.forEach(offered, store.findOrKeep, { concurrency: "unbounded" })

      assert.strictEqual(new Set(kept).size, 1)
      assert.strictEqual(yield* store.findOrKeep("too late"), kept[0])
    })
  })

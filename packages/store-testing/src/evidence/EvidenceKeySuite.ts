/** What every EvidenceKeyStore does. Its keys are never removed, so the tests of a store share them. */
import { assert } from "@effect/vitest"
import { EvidenceKeyStore } from "@runhook/core/evidence/EvidenceKeyStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Stores } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("EvidenceKeyStore", { layer, name }, (it) => {
    it.test("keeps every key that ever was, in the order of their ids", function* () {
      const store = yield* EvidenceKeyStore
      yield* store.keep([
        { kid: "a-newer", x: "2" },
        { kid: "a-Newest", x: "3" }
      ])

      yield* store.keep([{ kid: "a-first", x: "1" }])

      const ours = (yield* store.list).filter(({ kid }) => kid.startsWith("a-"))
      assert.deepStrictEqual(ours, [
        { kid: "a-Newest", x: "3" },
        { kid: "a-first", x: "1" },
        { kid: "a-newer", x: "2" }
      ])
    })

    it.test("keeps a key once, as it first was, however many processes bring it at once", function* () {
      const store = yield* EvidenceKeyStore
      yield* store.keep([{ kid: "b", x: "first" }])

      yield* Effect.replicateEffect(store.keep([{ kid: "b", x: "other" }]), 10, { concurrency: "unbounded" })

      const ours = (yield* store.list).filter(({ kid }) => kid === "b")
      assert.deepStrictEqual(ours, [{ kid: "b", x: "first" }])
    })
  })

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { RequestIds } from "../../src/pipeline/RequestIds.ts"
import { requestIds } from "../Hosts.ts"

const many = 1_000

const draw = Effect.flatMap(RequestIds, ({ next }) => Effect.replicateEffect(next, many))

describe("request ids", () => {
  it.effect("have one form and never repeat", () =>
    Effect.gen(function* () {
      const ids = yield* draw.pipe(Effect.provide(requestIds))

      assert.strictEqual(new Set(ids).size, many)
      for (const id of ids) assert.match(id, /^req_[0-9a-z]{20}$/)
    })
  )
})

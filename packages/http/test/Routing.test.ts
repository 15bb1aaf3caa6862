import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeAllowedMethods, recording } from "../src/Routing.ts"

const added = Effect.fnUntraced(function* (add: (router: HttpRouter.HttpRouter) => Effect.Effect<void>) {
  const allowed = makeAllowedMethods()
  yield* add(recording(yield* HttpRouter.make, allowed.record))
  return allowed
})

const answer = HttpServerResponse.empty()

describe("the methods of a path", () => {
  it.effect("are those that were added for it, under whatever name its parameters go", () =>
    Effect.gen(function* () {
      const allowed = yield* added(
        Effect.fnUntraced(function* (router) {
          yield* router.add("GET", "/things/:id", answer)
          yield* router.addAll([HttpRouter.route("DELETE", "/things/:thingId", Effect.succeed(answer))])
        })
      )

      assert.deepStrictEqual(allowed.of("/things/1?q=2"), ["GET", "DELETE", "HEAD"])
      assert.deepStrictEqual(allowed.of("/things"), [])
    })
  )

  it.effect("are found below a prefix", () =>
    Effect.gen(function* () {
      const allowed = yield* added((router) => router.prefixed("/v1").add("POST", "/things", answer))

      assert.deepStrictEqual(allowed.of("/v1/things"), ["POST"])
      assert.deepStrictEqual(allowed.of("/things"), [])
    })
  )

  it.effect("are not told for a path that answers all of them", () =>
    Effect.gen(function* () {
      const allowed = yield* added((router) => router.add("*", "/things", answer))

      assert.deepStrictEqual(allowed.of("/things"), [])
    })
  )
})

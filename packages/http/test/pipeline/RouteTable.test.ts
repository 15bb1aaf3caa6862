import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { noting, Routes } from "../../src/pipeline/RouteTable.ts"

const added = Effect.fnUntraced(function* (add: (router: HttpRouter.HttpRouter) => Effect.Effect<void>) {
  const routes = new Routes()
  yield* add(noting(yield* HttpRouter.make, (route) => routes.note(route)))
  return routes
})

const answer = HttpServerResponse.empty()

describe("the methods of a path", () => {
  it.effect("are those that were added for it, under whatever name its parameters go", () =>
    Effect.gen(function* () {
      const routes = yield* added(
        Effect.fnUntraced(function* (router) {
          yield* router.add("GET", "/things/:id", answer)
          yield* router.addAll([HttpRouter.route("DELETE", "/things/:thingId", Effect.succeed(answer))])
        })
      )

      assert.deepStrictEqual(routes.methodsOf("/things/1?q=2"), ["GET", "DELETE", "HEAD"])
      assert.deepStrictEqual(routes.methodsOf("/things"), [])
    })
  )

  it.effect("are found below a prefix", () =>
    Effect.gen(function* () {
      const routes = yield* added((router) => router.prefixed("/v1").add("POST", "/things", answer))

      assert.deepStrictEqual(routes.methodsOf("/v1/things"), ["POST"])
      assert.deepStrictEqual(routes.methodsOf("/things"), [])
    })
  )

  it.effect("are not told for a path that answers all of them", () =>
    Effect.gen(function* () {
      const routes = yield* added((router) => router.add("*", "/things", answer))

      assert.deepStrictEqual(routes.methodsOf("/things"), [])
    })
  )

  it.effect("are of a literal segment before a parameter, in whatever order they were added", () =>
    Effect.gen(function* () {
      const literal = ["POST", "/things/lately"] as const
      const anyThing = ["GET", "/things/:id"] as const

      for (const order of [
        [literal, anyThing],
        [anyThing, literal]
      ]) {
        const routes = yield* added(
          Effect.fnUntraced(function* (router) {
            for (const [method, path] of order) yield* router.add(method, path, answer)
          })
        )

        assert.deepStrictEqual(routes.methodsOf("/things/lately"), ["POST"])
        assert.isUndefined(routes.find("GET", "/things/lately"))
        assert.deepStrictEqual(routes.find("GET", "/things/1")?.params, { id: "1" })
      }
    })
  )
})

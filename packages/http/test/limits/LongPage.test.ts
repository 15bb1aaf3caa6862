import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { CurrentResponseBudget, longAnswerBytes, ResponseBudget } from "../../src/limits/ResponseBudget.ts"
import { CurrentCall } from "../../src/pipeline/Call.ts"
import { pageAnswer } from "../../src/shared/Paging.ts"
import { enveloped, hostOf } from "../Hosts.ts"

/** A page whose first slice is read, and whose second fails; it notes what was counted by then. */
const broken = (budget: ResponseBudget, counted: Ref.Ref<number>) =>
  HttpRouter.add(
    "GET",
    "/broken",
    Effect.gen(function* () {
      const { share } = yield* CurrentCall
      share.own(null)
      const page = yield* pageAnswer(
        { after: null, limit: 10 },
        {
          list: ({ after }) =>
            after === null
              ? Effect.succeed({ items: [{ id: "a" }], hasMore: true })
              : Effect.andThen(Ref.set(counted, budget.total), Effect.die("The store is gone")),
          toWire: (item: { readonly id: string }) => item,
          toText: (item) => JSON.stringify(item)
        }
      )
      return HttpServerResponse.isHttpServerResponse(page) ? page : HttpServerResponse.empty()
    })
  )

describe("A long page", () => {
  it.effect("that breaks off is not whole, and counts no more", () =>
    Effect.gen(function* () {
      const budget = new ResponseBudget()
      const counted = yield* Ref.make(0)
      const host = yield* hostOf(
        broken(budget, counted).pipe(
          Layer.provide([enveloped, HttpServer.layerServices]),
          Layer.provide(Layer.succeed(CurrentResponseBudget, budget))
        )
      )

      const answer = yield* host("/broken")
      const end = yield* Effect.promise(() => answer.text().catch(() => "broke off"))

      assert.strictEqual(end, "broke off")
      assert.strictEqual(yield* Ref.get(counted), longAnswerBytes)
      assert.strictEqual(budget.total, 0)
    })
  )
})

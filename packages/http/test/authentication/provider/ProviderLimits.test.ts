import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import * as ProviderLimits from "../../../src/authentication/provider/ProviderLimits.ts"

const requestFrom = (address: string) =>
  HttpServerRequest.fromWeb(new Request("http://localhost/integrations/oidc/callback")).modify({
    remoteAddress: Option.some(address)
  })

it.effect("a provider is asked at a bounded rate, from however many networks people come", () =>
  Effect.gen(function* () {
    const askInLine = yield* ProviderLimits.make
    const comingFrom = (place: string) =>
      Effect.forEach(Array.from({ length: 300 }), (_, at) =>
        Effect.result(
          askInLine(
            {
              request: requestFrom(`10.${place}.${Math.floor(at / 250)}.${at % 250}`),
              state: `${place} ${at}`
            },
            Effect.void
          )
        )
      )

    const first = yield* comingFrom("1")
    yield* TestClock.adjust("1 second")
    const later = yield* comingFrom("2")

    const refusals = [...first, ...later].flatMap((each) => (Result.isFailure(each) ? [each.failure] : []))
    assert.deepStrictEqual(
      [first, later].map((all) => all.filter(Result.isSuccess).length),
      [200, 10]
    )
    assert.deepStrictEqual(new Set(refusals.map(({ reason }) => reason)), new Set(["busy"]))
  })
)

it.effect("one network uses up no more than its own share", () =>
  Effect.gen(function* () {
    const askInLine = yield* ProviderLimits.make
    const comeBack = (address: string, state: string) =>
      Effect.result(askInLine({ request: requestFrom(address), state }, Effect.void))

    const one = yield* Effect.forEach(Array.from({ length: 100 }), (_, at) => comeBack("10.0.0.1", `${at}`))
    const other = yield* comeBack("10.0.0.2", "of another")

    assert.strictEqual(one.filter(Result.isSuccess).length, 60)
    assert.isTrue(Result.isSuccess(other))
  })
)

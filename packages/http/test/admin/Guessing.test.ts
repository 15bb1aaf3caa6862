import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { failureLimit } from "../../src/authentication/FailedKeys.ts"
import { errorOf } from "../Harness.ts"
import { Host, service } from "../Service.ts"

it.effect("admin keys are guessed no faster than others", () =>
  Effect.gen(function* () {
    const send = yield* Host
    const guess = (turn: number) =>
      send("/api/v1/admin/accounts", { headers: { authorization: `Bearer guess-${turn}` } })

    for (let turn = 0; turn < failureLimit.burst; turn++) assert.strictEqual((yield* guess(turn)).status, 401)
    const refused = yield* guess(failureLimit.burst)

    assert.strictEqual(refused.status, 429)
    assert.strictEqual((yield* errorOf(refused)).code, "rate_limited")
  }).pipe(Effect.provide(service))
)

import { assert, describe } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { passing } from "./faults/Scripted.ts"
import { blind, keep, kept, makeEvent, storedAsBegun } from "./InletWorld.ts"
import { current, makeKey, test } from "./World.ts"

describe("Inlet: its end", () => {
  test("stops with its dispatcher, which waits for places that are kept", function* () {
    const { record } = yield* makeKey()
    const scope = yield* Scope.make()
    const { inlet, requests } = yield* Scope.provide(
      blind(undefined, { stopGrace: Duration.seconds(3) }),
      scope
    )
    const event = yield* makeEvent(record)
    const place = kept(inlet, event)

    const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    const late = keep(inlet, yield* makeEvent(record))
    const begun = yield* storedAsBegun(inlet, event)
    for (const each of begun) place.begin(each, null)
    yield* Fiber.join(stopping)

    assert.deepStrictEqual([late, requests.length], [null, 1])
    assert.strictEqual((yield* current(event)).delivery.state, "delivered")
  })

  test("stops though a place is kept for ever, and leaves what was stored for it to others", function* () {
    const { record } = yield* makeKey()
    const scope = yield* Scope.make()
    const { inlet, requests } = yield* Scope.provide(
      blind(undefined, { stopGrace: Duration.seconds(3) }),
      scope
    )
    const event = yield* makeEvent(record)
    const place = kept(inlet, event)
    const [begun = event] = yield* storedAsBegun(inlet, event)

    const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    yield* passing(3)
    yield* Fiber.join(stopping)
    place.begin(begun, null)
    yield* passing(1)

    const { attempts, nextAttemptAt } = (yield* current(event)).delivery
    assert.deepStrictEqual([attempts, requests.length], [0, 0])
    assert.isTrue(nextAttemptAt !== null && DateTime.isLessThanOrEqualTo(nextAttemptAt, yield* DateTime.now))
  })
})

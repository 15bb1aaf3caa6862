import { assert, describe, it } from "@effect/vitest"
import { Draining } from "@runhook/core/engine/Draining"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Health from "../../src/probes/Health.ts"
import { draining, enveloped, errorOf, hostOf, jsonOf, recordedLogs } from "../Hosts.ts"

const host = (checks: ReadonlyArray<Health.ReadinessCheck>, relief = { isThere: false }) =>
  Effect.flatMap(Draining, (service) =>
    hostOf(
      Health.layer.pipe(
        Layer.provide([
          enveloped,
          Layer.succeed(Draining, service),
          Layer.succeed(Health.ReadinessChecks, checks),
          Layer.succeed(Health.Relief, relief)
        ])
      )
    )
  )

const well = { name: "signals", check: Effect.void }
const failing = { name: "database", check: Effect.fail("no connection to db.internal") }
const broken = { name: "disk", check: Effect.die("gone") }
const hanging = { name: "queue", check: Effect.never }
const stubborn = { name: "store", check: Effect.uninterruptible(Effect.never) }

describe("health", () => {
  it.layer(Layer.merge(draining, recordedLogs().layer))((it) => {
    it.effect("is alive and ready", () =>
      Effect.gen(function* () {
        const send = yield* host([well])

        const [live, ready] = [yield* send("/livez"), yield* send("/readyz")]

        assert.deepInclude(yield* jsonOf(live), { status: "ok" })
        assert.deepInclude(yield* jsonOf(ready), { status: "ready" })
      })
    )

    it.effect("is not ready while something is away, and names it without its secrets", () =>
      Effect.gen(function* () {
        const send = yield* host([well, failing, broken])

        const [live, ready] = [yield* send("/livez"), yield* send("/readyz")]

        const { details, message } = yield* errorOf(ready)
        assert.strictEqual(live.status, 200)
        assert.strictEqual(ready.status, 503)
        assert.strictEqual(ready.headers.get("retry-after"), "5")
        assert.strictEqual(message, "Not ready: database, disk")
        assert.deepStrictEqual(details, { missing: ["database", "disk"] })
      })
    )

    it.effect("is ready while something does a part of what it is for, and names it", () =>
      Effect.gen(function* () {
        const full = { name: "artifacts", check: Effect.succeed(Health.limited) }
        const send = yield* host([well, full])

        const ready = yield* send("/readyz")

        assert.strictEqual(ready.status, 200)
        assert.deepInclude(yield* jsonOf(ready), { status: "ready", limited: ["artifacts"] })
      })
    )

    it.effect("does not wait for a check that hangs", () =>
      Effect.gen(function* () {
        const send = yield* host([hanging, stubborn])

        const fiber = yield* Effect.forkChild(send("/readyz"), { startImmediately: true })
        yield* TestClock.adjust(Health.checkTimeout)
        const ready = yield* Fiber.join(fiber)

        assert.strictEqual(ready.status, 503)
      })
    )

    it.effect("is alive but not ready while the service stops", () =>
      Effect.gen(function* () {
        const send = yield* host([well])
        yield* Effect.flatMap(Draining, ({ begin }) => begin)

        const [live, ready] = [yield* send("/livez"), yield* send("/readyz")]

        assert.strictEqual(live.status, 200)
        assert.strictEqual(ready.status, 503)
      })
    )

    it.effect("is ready although it stops when others have taken its place", () =>
      Effect.gen(function* () {
        const send = yield* host([well], { isThere: true })
        yield* Effect.flatMap(Draining, ({ begin }) => begin)

        const ready = yield* send("/readyz")

        assert.strictEqual(ready.status, 200)
      })
    )
  })
})

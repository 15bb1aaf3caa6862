import { assert, describe, it } from "@effect/vitest"
import { RunnerTimings } from "@runhook/core/Settings"
import { startClaims } from "@runhook/core/usecases/StartOnClaim"
import { Executions } from "@runhook/core/usecases/Executions"
import * as Effect from "effect/Effect"
import { engine } from "./Engine.ts"
import { aRunner, idsOf, pollNow } from "./Runner.ts"
import { anExecution, aTenant, current } from "./Tenant.ts"

describe("Work that begins with its claim", () => {
  it.effect("is left out when its caller stopped it in between", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant({ agent: { capacity: 10 } })
      const [stopped, wanted] = [yield* anExecution(tenant), yield* anExecution(tenant)]
      const { claims } = yield* pollNow(yield* aRunner(tenant), { freeSlots: 2 })
      yield* (yield* Executions).stop({ ...stopped, to: "aborted", reason: null })

      const begun = yield* startClaims(claims, yield* RunnerTimings)

      assert.deepStrictEqual(idsOf({ claims: begun }), [wanted.id])
      assert.strictEqual((yield* current(wanted)).status, "running")
      assert.strictEqual((yield* current(stopped)).status, "aborted")
    }).pipe(Effect.provide(engine))
  )
})

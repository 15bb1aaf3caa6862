import { assert, it } from "@effect/vitest"
import { Caller } from "@runhook/contract/Authorization"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import { Authentication } from "@runhook/core/keys/Authentication"
import { Executions } from "@runhook/core/executions/Executions"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import { creatingAll } from "../../src/executions/CreateAll.ts"
import { LoopTurns } from "../../src/limits/LoopTurns.ts"
import { Call, CurrentCall } from "../../src/pipeline/Call.ts"
import { recordedLogs } from "../Hosts.ts"
import { service } from "../Service.ts"
import { makeTenant, type Tenant } from "../Tenant.ts"
import { itemOf } from "./Batch.ts"

/** Counts the turns of the event loop that it gives. */
class CountedTurns extends LoopTurns {
  given = 0

  override next(account: AccountId | null) {
    this.given++
    return super.next(account)
  }
}

/** Queues items as a request of the tenant would, where the store fails for those whose reference says how. */
const whereStoreFails = Effect.fnUntraced(function* (
  { key }: Tenant,
  turns: LoopTurns,
  failures: { readonly [reference: string]: Error }
) {
  const executions = yield* Executions
  const caller = yield* (yield* Authentication).apiKey(Redacted.make(key.key))
  const failing: Executions["Service"] = {
    ...executions,
    admit: (call) => {
      const failure = failures[call.request.reference ?? ""]
      return failure === undefined
        ? executions.admit(call)
        : Effect.succeed({ isRefusable: false, create: Effect.die(failure) })
    }
  }
  const call = { itemIssues: [], items: (_: Call, count: number) => ({ count, refusals: [] }) }
  return (bodies: ReadonlyArray<JsonObject>) =>
    creatingAll(failing, turns)(bodies, null).pipe(
      Effect.provideService(Caller, caller),
      Effect.provideService(CurrentActor, theService),
      Effect.provideService(CurrentRequestId, "req_1"),
      Effect.provideService(CurrentCall, Object.assign(Object.create(Call.prototype), call))
    )
})

it.layer(service)("many executions of which some cannot be stored", (it) => {
  it.effect("are stored but for those, take a turn each, and are told to the operator once", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const { layer, lines } = recordedLogs()
      const turns = new CountedTurns({ count: 0 })
      const create = yield* whereStoreFails(tenant, turns, {
        away: new StoreUnavailable({ reason: "it is away" }),
        broken: new Error("a secret of ours")
      })
      const references = ["first", "away", "broken", "last"]

      const answers = yield* create(references.map((reference) => itemOf(tenant, { reference }))).pipe(
        Effect.provide(layer)
      )

      assert.deepStrictEqual(
        answers.map(({ error, index, status }) => [index, status, error?.code]),
        [
          [0, 201, undefined],
          [1, 503, "internal_error"],
          [2, 500, "internal_error"],
          [3, 201, undefined]
        ]
      )
      assert.notInclude(JSON.stringify(answers), "secret")
      assert.strictEqual(lines.filter((line) => line.includes("Executions not stored")).length, 1)
      assert.strictEqual(turns.given, 4)
    })
  )

  it.effect("fail as a whole when the store took none of them", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const away = new StoreUnavailable({ reason: "it is away" })
      const create = yield* whereStoreFails(tenant, new LoopTurns({ count: 0 }), { away })

      const exit = yield* Effect.exit(
        create(["away", "away"].map((reference) => itemOf(tenant, { reference })))
      )

      assert.deepStrictEqual(exit, Exit.die(away))
    })
  )
})

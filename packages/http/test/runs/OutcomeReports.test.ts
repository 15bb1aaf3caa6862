import { assert, describe, it } from "@effect/vitest"
import { RunnerCaller } from "@runhook/contract/Authorization"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { AccountId, RunnerKeyId } from "@runhook/core/shared/Ids"
import { StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { reporting } from "../../src/runs/OutcomeReports.ts"
import { recordedLogs } from "../Hosts.ts"

const idOf = (digit: number) => `0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6${digit}`
const key = {
  id: RunnerKeyId.make(idOf(9)),
  accountId: AccountId.make(idOf(8)),
  name: "Cellar",
  prefix: "12345678",
  secretHash: "",
  agentIds: null,
  createdAt: DateTime.makeUnsafe(0),
  revokedAt: null
}
const outcomeOf = (digit: number) => ({ execution_id: idOf(digit), epoch: 1, outcome: "completed" })

/** Ends what it is told to, and fails as it is told to for some. */
const reportsWith = (failures: { readonly [id: string]: Effect.Effect<never> }) =>
  reporting(({ id }) => failures[id] ?? Effect.succeed({ status: "completed" }))

const inRequest = <A, E>(effect: Effect.Effect<A, E, RunnerCaller>) =>
  effect.pipe(Effect.provideService(RunnerCaller, key), Effect.provideService(CurrentRequestId, "req_1"))

describe("a list of outcomes", () => {
  it.effect("is stored but for what our side failed with, which its runner may try again", () =>
    Effect.gen(function* () {
      const { layer, lines } = recordedLogs()
      const report = reportsWith({
        [idOf(2)]: Effect.die(new StoreUnavailable({ reason: "it is away" })),
        [idOf(3)]: Effect.die(new Error("a secret of ours"))
      })

      const answers = yield* inRequest(report([1, 2, 3, 4].map(outcomeOf), [])).pipe(Effect.provide(layer))

      assert.deepStrictEqual(
        answers.map((answer) => (answer.accepted ? answer.status : [answer.http_status, answer.error.code])),
        ["completed", [503, "internal_error"], [500, "internal_error"], "completed"]
      )
      assert.notInclude(JSON.stringify(answers), "secret")
      assert.strictEqual(lines.filter((line) => line.includes("Outcomes not stored")).length, 1)
    })
  )

  it.effect("fails as a whole when the store took none of it", () =>
    Effect.gen(function* () {
      const away = new StoreUnavailable({ reason: "it is away" })
      const report = reportsWith({ [idOf(1)]: Effect.die(away), [idOf(2)]: Effect.die(away) })

      const exit = yield* Effect.exit(inRequest(report([1, 2].map(outcomeOf), [])))

      assert.deepStrictEqual(exit, Exit.die(away))
    })
  )

  it.effect("does not fail as a whole for a fault of ours in the only one", () =>
    Effect.gen(function* () {
      const report = reportsWith({ [idOf(1)]: Effect.die(new Error("a secret of ours")) })

      const [answer] = yield* inRequest(report([outcomeOf(1)], []))

      assert.deepInclude(answer, { accepted: false, http_status: 500 })
    })
  )

  it.effect("ends with its request when its runner has gone", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        inRequest(reportsWith({ [idOf(1)]: Effect.interrupt })([outcomeOf(1)], []))
      )

      assert.isTrue(Exit.hasInterrupts(exit))
    })
  )
})

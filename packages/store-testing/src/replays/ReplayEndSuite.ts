/** How the jobs of every ReplayStore are advanced and end, and whose they are. */
import { assert } from "@effect/vitest"
import { ReplayId } from "@runhook/core/shared/Ids"
import { ReplayStore } from "@runhook/core/replays/ReplayStore"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import { makeSender } from "../deliveries/DeliveryFixtures.ts"
import { idAt, second, type Stores } from "../Fixtures.ts"
import { suiteOfJobs } from "../jobs/SuiteOfJobs.ts"
import { suiteOf } from "../SuiteOf.ts"
import { advance, current, deadDeliveries, finish, makeJob, refOf, roundsOf } from "./ReplayFixtures.ts"

const begun = Effect.fnUntraced(function* (things: number) {
  const sender = yield* makeSender()
  const dead = yield* deadDeliveries(
    sender,
    Array.from({ length: things }, (_, index) => index)
  )
  const job = yield* makeJob(sender)
  const store = yield* ReplayStore
  return {
    id: job.id,
    current: current(job),
    cancel: (at: DateTime.Utc) => store.cancel(refOf(job), at),
    putOff: (by: Duration.Duration, at: DateTime.Utc) => store.putOff(job, { at, by }),
    done: Effect.map(roundsOf(sender, dead), (rounds) => rounds.map((round) => round === 2)),
    counted: Effect.map(current(job), ({ replayed }) => replayed)
  }
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) => {
  suiteOfJobs(name, layer, { port: "ReplayStore", begun, advance })

  suiteOf("ReplayStore owners", { layer, name }, (it) => {
    it.test("answers for a job of another account or key as for one that does not exist", function* () {
      const store = yield* ReplayStore
      const [sender, stranger] = [yield* makeSender(), yield* makeSender()]
      const { id: otherKeyId } = yield* makeApiKey(sender.accountId)
      const job = yield* makeJob(sender, { apiKeyId: sender.apiKeyId })
      const whole = yield* makeJob(sender)
      const refs = [
        { ...refOf(job), accountId: stranger.accountId },
        { ...refOf(job), apiKeyId: otherKeyId },
        { ...refOf(whole), apiKeyId: sender.apiKeyId },
        { ...refOf(job), id: yield* idAt(ReplayId, second(0)) }
      ]

      const errors = yield* Effect.forEach(refs, (ref) =>
        Effect.all([Effect.flip(store.get(ref)), Effect.flip(store.cancel(ref, second(101)))])
      )

      for (const [index, both] of errors.entries()) {
        for (const error of both)
          assert.deepStrictEqual([error._tag, error.id], ["ReplayNotFound", refs[index]?.id])
      }
      assert.deepStrictEqual(yield* store.get({ ...refOf(job), apiKeyId: sender.apiKeyId }), job)
      yield* finish(job)
    })
  })
}

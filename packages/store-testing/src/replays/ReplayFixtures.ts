/** Replay jobs that a test moves on by itself. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { allDead, newReplayJob, type ReplayFilter, type ReplayJob } from "@runhook/core/replays/ReplayJob"
import { ReplayId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ReplayStore } from "@runhook/core/replays/ReplayStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import {
  attemptOf,
  claimAll,
  makeDeadDelivery,
  makeDelivery,
  type Sender,
  stored
} from "../deliveries/DeliveryFixtures.ts"
import { idAt, second } from "../Fixtures.ts"

/** When the jobs of the tests begin. */
export const beginning = second(100)

/** A job that began when everything of the test was settled. */
export const makeJob = Effect.fnUntraced(function* (
  { accountId }: Sender,
  filter: Partial<ReplayFilter> = {},
  expected: number | null = null
) {
  const id = yield* idAt(ReplayId, beginning)
  const subject = { id, accountId, filter: { ...allDead, ...filter }, expected }
  return yield* (yield* ReplayStore).create(newReplayJob(subject, beginning))
})

export const refOf = ({ accountId, id }: ReplayJob) => ({ accountId, apiKeyId: null, id })

export const current = (job: ReplayJob) => ReplayStore.use((store) => store.get(refOf(job)))

/** One more batch of the job that is due first. */
export const advance = Effect.fnUntraced(function* (limit: number, at: DateTime.Utc = second(101)) {
  const store = yield* ReplayStore
  const [job] = yield* store.due({ limit: 1, at })
  return job === undefined ? null : yield* store.advance(job, { limit, at })
})

/** More bites than any test needs. */
const bitesMax = 1_000

/** The job when it is finished. */
export const finish = Effect.fnUntraced(function* (job: ReplayJob) {
  for (let bite = 0; bite < bitesMax; bite++) {
    if ((yield* advance(100)) === null) return yield* current(job)
  }
  return yield* Effect.die(new Error(`The job goes on after ${bitesMax} bites`))
})

export const deadDeliveries = (sender: Sender, seconds: ReadonlyArray<number>) =>
  Effect.forEach(seconds, (each) => makeDeadDelivery(sender, { createdAt: second(each) }))

/** The rounds that deliveries are in: 2 for those that were replayed once. */
export const roundsOf = (sender: Sender, deliveries: ReadonlyArray<Delivery>) =>
  Effect.forEach(deliveries, ({ id }) => Effect.map(stored(sender, id), ({ delivery }) => delivery.round))

/** A delivery that was made at the first attempt. */
export const makeDeliveredDelivery = Effect.fnUntraced(function* (sender: Sender) {
  const store = yield* DeliveryStore
  const { id } = yield* makeDelivery(sender)
  const claimed = (yield* claimAll(sender, { at: second(1) })).filter((each) => each.id === id)
  yield* store.settle(
    claimed.map((each) => ({
      accountId: sender.accountId,
      attempt: attemptOf(each, { status: 200, error: null }),
      verdict: { _tag: "Delivered" }
    })),
    second(1)
  )
  return (yield* stored(sender, id)).delivery
})

/** Deliveries that their receiver fetches: leased like those that are sent, and delivered when it acknowledges them. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { noTimings } from "../deliveries/steps/AttemptTimings.ts"
import type { DeliveryAttempt, DeliverySummary } from "../deliveries/Delivery.ts"
import { deliveryAttemptsMax } from "../deliveries/steps/DeliveryBackoff.ts"
import type { DeliveryOrder } from "../deliveries/claim/DeliveryOrder.ts"
import { claimDue, type ClaimStep, type DueDelivery } from "../deliveries/steps/DeliverySteps.ts"
import { DispatcherId } from "../shared/Ids.ts"
import { pageSizeMax } from "../shared/Page.ts"

/** For so long, a message belongs to who fetched it. One that is not acknowledged by then is given out again. */
export const messageLease = Duration.seconds(60)

/** Messages in one answer, and in one acknowledgement. */
export const messagesMax = pageSizeMax

const unacknowledgedMessage = `fetched ${deliveryAttemptsMax} times, and never acknowledged`

/** Names who fetches, within one fetch alone: events that go out together are in order already. */
const fetcher = DispatcherId.make("00000000-0000-0000-0000-000000000000")

/** Gives due messages to who fetches them. Those that were given out too often are dead. */
export const fetchDue = (
  due: ReadonlyArray<DueDelivery>,
  { at, order }: { readonly at: DateTime.Utc; readonly order: DeliveryOrder }
): ReadonlyArray<ClaimStep> =>
  claimDue(due, { at, dispatcher: fetcher, lease: messageLease, order }).map((step): ClaimStep => {
    const { before } = step
    const given = { ...step, dispatcher: null }
    if (!step.isGivenOut || before.attempts < deliveryAttemptsMax) return given
    return {
      ...given,
      isGivenOut: false,
      after: {
        ...before,
        state: "dead",
        nextAttemptAt: null,
        settledAt: at,
        lastError: unacknowledgedMessage,
        lastCause: "no_answer"
      }
    }
  })

/** Nobody fetches it any more: its endpoint was removed. */
export const abandoned = (delivery: DueDelivery["delivery"], at: DateTime.Utc): ClaimStep => ({
  before: delivery,
  after: { ...delivery, state: "cancelled", nextAttemptAt: null, settledAt: at },
  dispatcher: null,
  isTried: false,
  isGivenOut: false,
  probeOf: null,
  behind: null
})

/** The attempt that an acknowledgement ends. */
export const acknowledgedAttempt = (
  { attemptedAt, attempts, id, round }: DeliverySummary,
  at: DateTime.Utc
): DeliveryAttempt => {
  const startedAt = attemptedAt ?? at
  return {
    deliveryId: id,
    round,
    number: attempts,
    startedAt,
    durationMs: Math.max(0, at.epochMilliseconds - startedAt.epochMilliseconds),
    timings: noTimings,
    phase: "done",
    status: null,
    error: null,
    cause: null,
    remoteAddress: null,
    requestHeaders: {},
    responseHeaders: {},
    responseBody: null,
    isTruncated: false
  }
}

/** Whether nobody has fetched from an endpoint for so long that it goes away by itself. */
export const isForsaken = (
  endpoint: {
    readonly createdAt: DateTime.Utc
    readonly fetchedAt: DateTime.Utc | null
    readonly removeAfterSeconds: number | null
  },
  at: DateTime.Utc
): boolean => {
  const { createdAt, fetchedAt, removeAfterSeconds } = endpoint
  if (removeAfterSeconds === null) return false
  return DateTime.isLessThan(DateTime.add(fetchedAt ?? createdAt, { seconds: removeAfterSeconds }), at)
}

/** Whether a fetch is worth noting: a quarter of the time is over. */
export const isFetchNews = (endpoint: Parameters<typeof isForsaken>[0], at: DateTime.Utc): boolean => {
  const { createdAt, fetchedAt, removeAfterSeconds } = endpoint
  if (removeAfterSeconds === null) return false
  return DateTime.isLessThanOrEqualTo(
    DateTime.add(fetchedAt ?? createdAt, { seconds: removeAfterSeconds / 4 }),
    at
  )
}

/** Observes how receivers fare, attempt by attempt, and tells operators when one fails and when it is back. */
import type { Receiver, ReceiverMove } from "@runhook/core/domain/delivery/Receiver"
import type { Settlement } from "@runhook/core/ports/DeliveryStore"
import { inWholeUnits } from "@runhook/core/runtime/WholeDuration"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as WebhookMetrics from "../WebhookMetrics.ts"
import { signalOf } from "./AttemptSignal.ts"
import { moveAfter } from "./BreakerMoves.ts"
import type { InFlightDelivery } from "./Permit.ts"
import type { ReceiverStats } from "./ReceiverStats.ts"

/** Counts an attempt for its receiver, and adds to the settlement what it does to the receiver's breaker. */
export const observe = Effect.fnUntraced(function* (
  stats: ReceiverStats,
  { permit: { receiver }, probeOf }: Pick<InFlightDelivery, "permit" | "probeOf">,
  settlement: Settlement
): Effect.fn.Return<Settlement> {
  const { attempt } = settlement
  const { failures, openUntil } = stats.record(receiver, signalOf(attempt), attempt.durationMs)
  const at = yield* DateTime.now
  // Others were in flight when it began to fail. What they tell is known by now.
  const isKnown = probeOf === null && openUntil !== null && DateTime.isLessThan(at, openUntil)
  if (isKnown) return settlement
  const move = moveAfter({ attempt, failures, probeOf, at, random: yield* Random.next })
  if (move === undefined) return settlement
  if (move._tag !== "Pause") stats.breakerMoved(receiver, move._tag === "Open" ? move.until : null)
  yield* tell(receiver, move, at)
  return { ...settlement, move }
})

/** Names the origin alone: the path and query of a URL may hold a secret. */
const tell = ({ accountId, origin }: Receiver, move: ReceiverMove, at: DateTime.Utc): Effect.Effect<void> => {
  switch (move._tag) {
    case "Open": {
      const pause = inWholeUnits(DateTime.distance(at, move.until))
      const words = `The webhook receiver ${origin} fails: it is left alone for ${pause}`
      // Whoever was warned need not hear of each probe that fails.
      const log = move.openings === 1 ? Effect.logWarning(words) : Effect.logDebug(words)
      return Effect.andThen(
        Effect.annotateLogs(log, { account_id: accountId, openings: move.openings }),
        WebhookMetrics.breakerChanged("open")
      )
    }
    case "Close":
      return Effect.andThen(
        Effect.annotateLogs(Effect.logInfo(`The webhook receiver ${origin} is back`), {
          account_id: accountId
        }),
        WebhookMetrics.breakerChanged("closed")
      )
    case "Pause":
      return Effect.void
  }
}

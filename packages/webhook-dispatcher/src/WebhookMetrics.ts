/**
 * What a dispatcher measures, for Prometheus. Labels have few values: nothing
 * of an account, a URL or an event is among them.
 */
import type { AttemptPhase } from "@runhook/core/deliveries/steps/AttemptCause"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { Settlement } from "@runhook/core/deliveries/DeliveryStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const lag = Metric.histogram("runhook_webhook_lag_seconds", {
  description: "Seconds from the change that caused an event to its first attempt; replays are left out",
  // What waits behind a receiver that is left alone may wait for hours.
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400]
})

const attemptDuration = Metric.histogram("runhook_webhook_attempt_duration_seconds", {
  description: "Seconds that attempts took, by the phase they ended in and by what followed",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 12, 15, 20]
})

const attemptsMade = Metric.counter("runhook_webhook_attempts_total", {
  description: "Attempts by what followed: delivered, retry or dead",
  incremental: true
})

const inFlight = Metric.gauge("runhook_webhook_in_flight", {
  description: "Deliveries of this process from their claim until their result is stored"
})

const oldestDueAge = Metric.gauge("runhook_webhook_oldest_due_age_seconds", {
  description:
    "Seconds for which the oldest delivery that might be sent had been due at the last look; 0 when there was none"
})

const breakerChanges = Metric.counter("runhook_webhook_breaker_changes_total", {
  description: "Receivers that were left alone because they failed, and those that came back",
  incremental: true
})

const changesTo = {
  open: Metric.withAttributes(breakerChanges, { to: "open" }),
  closed: Metric.withAttributes(breakerChanges, { to: "closed" })
}

const measuresOf = (outcome: string) => {
  const durationIn = (phase: AttemptPhase) => Metric.withAttributes(attemptDuration, { phase, outcome })
  return {
    made: Metric.withAttributes(attemptsMade, { outcome }),
    durations: {
      policy: durationIn("policy"),
      dns: durationIn("dns"),
      connect: durationIn("connect"),
      request: durationIn("request"),
      headers: durationIn("headers"),
      body: durationIn("body"),
      done: durationIn("done")
    }
  }
}

/** One for each pair of labels, made once: they are few, and attempts many. */
const measures = {
  Delivered: measuresOf("delivered"),
  Retry: measuresOf("retry"),
  Dead: measuresOf("dead")
}

/** Series that are shown before anything has happened. */
const atFirst = [
  lag,
  inFlight,
  oldestDueAge,
  changesTo.open,
  changesTo.closed,
  measures.Delivered.durations.done,
  ...Object.values(measures).map(({ made }) => made)
]

/** What every attempt tells, counted where it is known. */
export const make = Effect.map(Effect.context<never>(), (context) => {
  for (const each of atFirst) each.valueUnsafe(context)
  return {
    /** The first attempt of an event shows how far the dispatchers are behind. */
    attemptBegins: ({ attempts, createdAt, round }: Delivery, at: number): void => {
      if (attempts === 1 && round === 1)
        lag.updateUnsafe(Math.max(0, at - createdAt.epochMilliseconds) / 1_000, context)
    },
    attemptEnded: ({ attempt, isUnmade, verdict }: Settlement): void => {
      if (isUnmade === true || verdict._tag === "Cancelled") return
      const { durations, made } = measures[verdict._tag]
      made.updateUnsafe(1, context)
      durations[attempt.phase].updateUnsafe(attempt.durationMs / 1_000, context)
    },
    inFlightChanged: (by: number): void => inFlight.modifyUnsafe(by, context)
  }
})

export const claimEnded = (oldestDueFor: Duration.Duration): Effect.Effect<void> =>
  Metric.update(oldestDueAge, Math.max(0, Duration.toSeconds(oldestDueFor)))

export const breakerChanged = (to: "open" | "closed"): Effect.Effect<void> => Metric.update(changesTo[to], 1)

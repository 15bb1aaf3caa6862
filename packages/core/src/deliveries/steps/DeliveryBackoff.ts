/** When a failed delivery is tried again, and when it is given up. */
import * as Duration from "effect/Duration"

/** The wait before each attempt: the first comes at once, the last 70.7 hours later. */
export const attemptWaits: ReadonlyArray<Duration.Duration> = [
  Duration.zero,
  Duration.seconds(5),
  Duration.seconds(30),
  Duration.minutes(2),
  Duration.minutes(10),
  Duration.minutes(30),
  Duration.hours(1),
  Duration.hours(3),
  Duration.hours(6),
  Duration.hours(12),
  Duration.hours(24),
  Duration.hours(24)
]

/** Attempts of one round of a delivery, before it is dead. */
export const deliveryAttemptsMax = attemptWaits.length

/**
 * Waits vary by this share in both directions, so that a receiver that comes back
 * is not hit by everything at once.
 */
const jitter = 0.2

/** Longest wait that a receiver may ask for by `Retry-After`. */
export const retryAfterMax = Duration.hours(1)

/** The wait before the next attempt of a round, or undefined when the round has had its attempts. */
export const nextAttemptDelay = (options: {
  /** Attempts made so far in this round. */
  readonly attempt: number
  /** A random number, at least 0 and below 1, for the jitter. */
  readonly random: number
  /** What the receiver asked for with a 429 or 503; null if it did not. */
  readonly retryAfter: Duration.Duration | null
}): Duration.Duration | undefined => {
  const { attempt, random, retryAfter } = options
  const wait = attemptWaits[attempt]
  if (wait === undefined) return undefined
  const step = Duration.millis(Math.round(Duration.toMillis(wait) * (1 - jitter + 2 * jitter * random)))
  return retryAfter === null ? step : Duration.max(step, Duration.min(retryAfter, retryAfterMax))
}

/** The shortest and the longest wait of what could not be tried. */
const untriedWaits = { minimum: Duration.seconds(5), maximum: Duration.hours(1) }

/** The wait of what could not be tried, which uses up no attempt: as long again as it has waited so far. */
export const untriedDelay = (waited: Duration.Duration): Duration.Duration =>
  Duration.clamp(waited, untriedWaits)

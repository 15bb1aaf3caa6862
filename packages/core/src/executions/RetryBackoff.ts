/** How long failed work waits before its next attempt. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import type { ExecutionId } from "../shared/Ids.ts"

/** The longest wait before work is queued again: 1 day. */
export const retryWaitMax = Duration.days(1)

const seconds = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: Duration.toSeconds(retryWaitMax) })
)

export const RetryBackoff = Schema.Struct({
  /** The wait before the second attempt. */
  initialSeconds: seconds,
  /** What each further wait is multiplied by. */
  factor: Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 10 })),
  /** The upper bound of a wait. */
  maxSeconds: seconds,
  /**
   * The share by which a wait may be longer or shorter, so that work that failed
   * together does not come back together.
   */
  jitter: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
})
export type RetryBackoff = typeof RetryBackoff.Type

/** No wait. */
export const atOnce: RetryBackoff = { initialSeconds: 0, factor: 1, maxSeconds: 0, jitter: 0 }

/** The default where a task says nothing else. */
export const retryBackoffDefault: RetryBackoff = {
  initialSeconds: 1,
  factor: 2,
  maxSeconds: 3_600,
  jitter: 0.2
}

/** What failed: its id, and how often it was started so far. */
export interface Failed {
  readonly id: ExecutionId
  readonly attempt: number
  readonly retryBackoff: RetryBackoff
}

/** How long the work waits after its last attempt. Always the same for the same attempt. */
export const waitAfter = (failed: Failed): Duration.Duration => {
  const { factor, initialSeconds, jitter, maxSeconds } = failed.retryBackoff
  const wait = Math.min(maxSeconds, initialSeconds * factor ** (failed.attempt - 1))
  return Duration.millis(Math.round(wait * 1_000 * (1 - jitter + 2 * jitter * chanceOf(failed))))
}

/** When work that failed at `at` may be tried again: after its task's wait, or the one its runner asked for. */
export const retryAt = (
  failed: Failed,
  { at, delay }: { readonly at: DateTime.Utc; readonly delay: Duration.Duration | null }
): DateTime.Utc => DateTime.addDuration(at, delay ?? waitAfter(failed))

/**
 * At least 0 and below 1: made of the random end of the id and, by the golden
 * ratio, different for each attempt.
 */
const chanceOf = ({ attempt, id }: Failed): number =>
  (Number.parseInt(id.slice(-8), 16) / 2 ** 32 + attempt * 0.618_033_988_75) % 1

/** A measured duration, as people read it in a log. */
import * as Duration from "effect/Duration"

const [second, hour] = [1_000, 3_600_000]

/** In seconds, such as `2m 5s`; in milliseconds below one, and in minutes from an hour on. */
export const inWholeUnits = (duration: Duration.Duration): string => {
  const millis = Duration.toMillis(duration)
  const unit = millis < second ? 1 : millis < hour ? second : 60 * second
  return Duration.format(Duration.millis(Math.round(millis / unit) * unit))
}

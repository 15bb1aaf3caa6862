/** What a receiver that is busy asks for. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { AttemptResult } from "./Sender.ts"

/** The wait a 429 or 503 asks for, in seconds or until a date; null when it asks for none that can be read. */
export const retryAfterOf = (
  { responseHeaders, status }: Pick<AttemptResult, "responseHeaders" | "status">,
  at: DateTime.Utc
): Duration.Duration | null => {
  const wanted = responseHeaders["retry-after"]
  if (wanted === undefined || (status !== 429 && status !== 503)) return null
  if (/^\d{1,9}$/.test(wanted)) return Duration.seconds(Number(wanted))
  return Option.match(DateTime.make(wanted), {
    onNone: () => null,
    onSome: (until) => Duration.max(Duration.zero, DateTime.distance(at, until))
  })
}

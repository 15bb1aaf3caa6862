/** A moment, in the zone of the page; the UTC instant is at hand in its title and its `datetime`. */
import { momentWords, utcWords } from "../format/Moments.ts"
import { now } from "../time/Clock.ts"
import { zone } from "../time/Zone.ts"

export interface MomentProps {
  /** As the API has it; nothing is shown for null. */
  readonly at: string | null | undefined
  /** With seconds, also for days before. */
  readonly isExact?: boolean
}

export const Moment = ({ at, isExact = false }: MomentProps) => {
  if (at === null || at === undefined) return null
  const date = new Date(at)
  return (
    <time dateTime={at} title={utcWords(date)}>
      {momentWords(date, { zone: zone.value, now: now(), isExact })}
    </time>
  )
}

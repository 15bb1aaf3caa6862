/** A point in time, in the zone of the page, with the UTC instant in its title and its `datetime`. */
import { useFollowed } from "../data/Followed.ts"
import { momentWords, utcWords } from "../format/Moments.ts"
import { prose } from "./Prose.ts"
import { now } from "../time/Clock.ts"
import { zone } from "../time/Zone.ts"

export interface MomentProps {
  /** An instant of the API; nothing is shown for null. */
  readonly at: string | null | undefined
  /** With seconds, also for earlier days. */
  readonly isExact?: boolean
}

export const Moment = ({ at, isExact = false }: MomentProps) => {
  const shown = useFollowed(zone)
  if (at === null || at === undefined) return null
  const date = new Date(at)
  return (
    <time dateTime={at} title={utcWords(date)}>
      {momentWords(date, { zone: shown, now: now(), isExact })}
    </time>
  )
}

/** Without fractions of a second, which are not shown. */
const second = (at: string | null): string => at?.slice(0, 19) ?? ""

/** A time span; a single time if both ends read the same. */
export const Span = ({ from, to }: { readonly from: string | null; readonly to: string | null }) =>
  second(from) === second(to) ? <Moment at={from} /> : prose`${<Moment at={from} />} to ${<Moment at={to} />}`

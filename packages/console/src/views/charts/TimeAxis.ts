/** The times of a chart. Made once for all charts of the same range and zone. Pure. */
import { shortWords } from "../../format/Moments.ts"
import type { Zone } from "../../time/Zone.ts"

export interface TimeAxis {
  /** The start of each hour or day, as an instant of the API. */
  readonly at: ReadonlyArray<string>
  /** The place of an instant, in percent of the width. */
  readonly placeOf: (at: string) => number
  /** Few enough for the narrowest chart. */
  readonly ticks: ReadonlyArray<{ readonly at: string; readonly words: string }>
}

const hourMs = 3_600_000
const ticksMax = 5

export const timeAxisOf = (at: ReadonlyArray<string>, zone: Zone): TimeAxis => {
  const times = at.map((each) => Date.parse(each))
  const [first = 0, last = first] = [times[0], times.at(-1)]
  const isOfHours = (times[1] ?? 0) - first === hourMs
  const isShort = isOfHours && last - first <= 48 * hourMs
  const hourOf = (each: string) => {
    const date = new Date(each)
    return zone === "utc" ? date.getUTCHours() : date.getHours()
  }
  const named = isOfHours ? at.filter((each) => hourOf(each) % (isShort ? 6 : 24) === 0) : at
  const step = Math.ceil(named.length / ticksMax)
  return {
    at,
    placeOf: (each) => (last === first ? 50 : (100 * (Date.parse(each) - first)) / (last - first)),
    ticks: named
      .filter((_, place) => place % step === 0)
      .map((each) => ({ at: each, words: shortWords(new Date(each), { zone, isTime: isShort }) }))
  }
}

/** The index of the hour or day below a place; null if there is none. */
export const indexAt = ({ at }: TimeAxis, percent: number): number | null =>
  at.length === 0 ? null : Math.max(0, Math.min(at.length - 1, Math.round((percent / 100) * (at.length - 1))))

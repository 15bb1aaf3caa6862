/** Scales of charts. Pure functions. */
import { durationSplits, type Values } from "./Series.ts"

export type Scale = "count" | "duration" | "share"

/** The lowest and highest value of the chart, and its grid lines. */
export interface Range {
  readonly low: number
  readonly high: number
  readonly splits: ReadonlyArray<number>
}

/** Shares end at 100 %, counts begin at 0, durations are logarithmic. */
export const rangeOf = (scale: Scale, lines: ReadonlyArray<Values>): Range => {
  const values = lines.flat().filter((value) => value !== null)
  const most = values.reduce((found, value) => Math.max(found, value), 0)
  const least = values.reduce((found, value) => Math.min(found, value), Infinity)
  switch (scale) {
    case "share": {
      const low = Math.min(0.9, Math.floor(Math.min(1, least) * 10) / 10)
      return { low, high: 1, splits: [low, (low + 1) / 2, 1] }
    }
    case "count": {
      const high = Math.max(4, most * 1.1)
      return { low: 0, high, splits: splitsTo(high) }
    }
    case "duration": {
      const [low, high] = [Math.max(1, (values.length === 0 ? 10 : least) / 2), Math.max(1_000, most * 1.5)]
      return { low, high, splits: durationSplits(low, high) }
    }
  }
}

/** From 0 in steps of 1, 2 or 5 times a power of ten: at most four lines. */
const splitsTo = (high: number): ReadonlyArray<number> => {
  const magnitude = 10 ** Math.floor(Math.log10(high / 3))
  const step = [1, 2, 5, 10].map((each) => each * magnitude).find((each) => high / each < 4) ?? high
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, place) => place * step)
}

/** The height of a value, from 0 to 1: logarithmic for durations, and never below the lowest value. */
export const heightOf = (scale: Scale, { high, low }: Range, value: number): number => {
  const part =
    scale === "duration"
      ? Math.log(Math.max(low, value) / low) / Math.log(high / low)
      : (value - low) / (high - low)
  return Math.min(1, Math.max(0, part))
}

const hourSeconds = 3_600

/** The times with a label: the first of each day, or hours within one day; at most so many. */
export const namedTimes = (
  at: ReadonlyArray<number>,
  { dayOf, max }: { readonly dayOf: (at: number) => string; readonly max: number }
): ReadonlyArray<number> => {
  const days = at.filter((each) => dayOf(each) !== dayOf(each - hourSeconds))
  const all = days.length < 3 ? at : days
  const step = Math.max(1, Math.ceil(all.length / Math.max(1, max)))
  return all.filter((_, place) => place % step === 0)
}

/** The index that is nearest to a time; null if there is none. */
export const nearest = (at: ReadonlyArray<number>, moment: number): number | null =>
  at.reduce<number | null>(
    (found, each, place) =>
      found === null || Math.abs(each - moment) < Math.abs((at[found] ?? each) - moment) ? place : found,
    null
  )

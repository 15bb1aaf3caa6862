/** Scales of charts. Pure functions. */
import type { Values } from "./Series.ts"

export type Scale = "count" | "duration" | "share"

/** The lowest and highest value of the chart, and its grid lines. */
export interface Range {
  readonly low: number
  readonly high: number
  readonly splits: ReadonlyArray<number>
}

/** A share above this is looked at closely. */
const closeShare = 0.9

/** Shares end at 100 %, counts begin at 0, durations are logarithmic. */
export const rangeOf = (scale: Scale, lines: ReadonlyArray<Values>): Range => {
  const values = lines.flat().filter((value) => value !== null)
  const most = values.reduce((found, value) => Math.max(found, value), 0)
  const least = values.reduce((found, value) => Math.min(found, value), Infinity)
  switch (scale) {
    case "share": {
      const low = least < closeShare ? 0 : closeShare
      return { low, high: 1, splits: [low, (low + 1) / 2, 1] }
    }
    case "count": {
      const high = Math.max(4, most * 1.1)
      return { low: 0, high, splits: splitsTo(high) }
    }
    case "duration": {
      const [low, high] = [Math.max(1, (values.length === 0 ? 10 : least) / 2), Math.max(1_000, most * 1.5)]
      const within = steps.filter((step) => step >= low && step <= high)
      const splits = within.length <= 4 ? within : within.filter((_, at) => at % 2 === within.length % 2)
      return { low, high, splits }
    }
  }
}

/** The larger steps by which people read durations, in milliseconds. */
const steps = [10, 100, 1_000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000, 86_400_000]

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

/** One time axis for all events. Idle time is folded, so that an attempt two days later does not squeeze a short run. */
import { durationWords } from "../../format/Amounts.ts"

export interface Span {
  readonly from: number
  readonly to: number
}

export interface Axis {
  readonly start: number
  readonly end: number
  /** The position of a time, in percent of the width. */
  readonly at: (moment: number) => number
  /** The folds, in percent. */
  readonly folds: ReadonlyArray<{ readonly from: number; readonly to: number; readonly words: string }>
  readonly ticks: ReadonlyArray<{ readonly at: number; readonly words: string }>
}

/** The width of one fold, and of all of them at most, in percent. */
const foldWidth = 4
const foldsWidth = 40

/** The share of the axis that idle time may take before it is folded. */
const quietShare = 0.1

/** Shorter idle times are never folded. In milliseconds. */
const foldMin = 1_000

interface Stretch extends Span {
  readonly isQuiet: boolean
}

/** `moments` are all instants at which something happens, `busy` the spans while something does. */
export const axisOf = (moments: ReadonlyArray<number>, busy: ReadonlyArray<Span>): Axis => {
  const points = [...new Set([...moments, ...busy.flatMap(({ from, to }) => [from, to])])].toSorted(
    (one, other) => one - other
  )
  const start = points[0] ?? 0
  const end = Math.max(points.at(-1) ?? 0, start + 1)
  const stretches = stretchesOf(points.length < 2 ? [start, end] : points, busy)
  const folded = foldedOf(stretches)
  const width = Math.min(foldWidth, foldsWidth / Math.max(1, folded.size))
  const drawn = stretches.reduce((sum, each) => sum + (folded.has(each) ? 0 : lengthOf(each)), 0)
  const scale = (100 - width * folded.size) / Math.max(1, drawn)

  const placed = place(stretches, (each) => (folded.has(each) ? width : lengthOf(each) * scale))
  const at = (moment: number): number => {
    const inside = placed.find(({ stretch }) => moment <= stretch.to) ?? placed.at(-1)
    if (inside === undefined) return 0
    const { left, stretch, width: wide } = inside
    const share = (moment - stretch.from) / Math.max(1, lengthOf(stretch))
    return Math.min(100, left + wide * Math.min(1, Math.max(0, share)))
  }
  const folds = placed
    .filter(({ stretch }) => folded.has(stretch))
    .map(({ left, stretch, width: wide }) => ({
      from: left,
      to: left + wide,
      words: durationWords(lengthOf(stretch))
    }))
  return { start, end, at, folds, ticks: ticksOf({ start, at, placed, folded, drawn }) }
}

const lengthOf = ({ from, to }: Span): number => to - from

const stretchesOf = (points: ReadonlyArray<number>, busy: ReadonlyArray<Span>): ReadonlyArray<Stretch> =>
  points.slice(1).map((to, index) => {
    const from = points[index] ?? to
    return { from, to, isQuiet: !busy.some((span) => span.from <= from && span.to >= to) }
  })

/** The shorter a quiet stretch, the sooner it is drawn; from the first on that is too long, all are folded. */
const foldedOf = (stretches: ReadonlyArray<Stretch>): ReadonlySet<Stretch> => {
  const quiet = stretches.filter(({ isQuiet }) => isQuiet).toSorted((a, b) => lengthOf(a) - lengthOf(b))
  let drawn = stretches.reduce((sum, each) => sum + (each.isQuiet ? 0 : lengthOf(each)), 0)
  const folded = new Set<Stretch>()
  for (const each of quiet) {
    if (drawn > 0 && lengthOf(each) > Math.max(foldMin, drawn * quietShare)) folded.add(each)
    else drawn += lengthOf(each)
  }
  return folded
}

interface PlacedStretch {
  readonly stretch: Stretch
  readonly left: number
  readonly width: number
}

const place = (
  stretches: ReadonlyArray<Stretch>,
  widthOf: (stretch: Stretch) => number
): ReadonlyArray<PlacedStretch> => {
  let left = 0
  return stretches.map((stretch) => {
    const placed = { stretch, left, width: widthOf(stretch) }
    left += placed.width
    return placed
  })
}

/** Round steps of time, in milliseconds. */
const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 1_200_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 43_200_000, 86_400_000, 172_800_000,
  604_800_000
]

/** Least distance of two ticks in percent, so that their labels do not touch. */
const tickGap = 13

interface TickOptions extends Pick<Axis, "at" | "start"> {
  readonly placed: ReadonlyArray<PlacedStretch>
  readonly folded: ReadonlySet<Stretch>
  readonly drawn: number
}

const ticksOf = ({ at, drawn, folded, placed, start }: TickOptions): Axis["ticks"] => {
  const step = steps.find((each) => each >= drawn / 5) ?? 604_800_000
  const candidates = placed.flatMap(({ stretch }) => {
    if (folded.has(stretch)) return [stretch.to]
    const first = Math.ceil((stretch.from - start) / step)
    const last = Math.floor((stretch.to - start) / step)
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => start + (first + index) * step)
  })
  const ticks: Array<{ readonly at: number; readonly words: string }> = []
  for (const moment of candidates) {
    const where = at(moment)
    if (ticks.length === 0 || where - (ticks.at(-1)?.at ?? 0) >= tickGap) {
      ticks.push({ at: where, words: moment === start ? "0" : durationWords(moment - start) })
    }
  }
  return ticks
}

/**
 * One time axis for all events, to scale. Two things are cut short, and say so: time in which nothing happens, so that
 * an attempt two days later does not squeeze a short run; and one wait that is far longer than everything else.
 */
import { durationWords } from "../../format/Amounts.ts"

export interface Span {
  readonly from: number
  readonly to: number
}

export interface Cut {
  /** In percent. */
  readonly from: number
  readonly to: number
  /** How long it really is. */
  readonly words: string
  /** Whether the execution waits meanwhile; otherwise nothing happens. */
  readonly isWait: boolean
}

export interface Axis {
  readonly start: number
  readonly end: number
  /** The position of a time, in percent of the width. */
  readonly at: (moment: number) => number
  readonly cuts: ReadonlyArray<Cut>
  readonly ticks: ReadonlyArray<{ readonly at: number; readonly words: string }>
}

/** The width of one cut of quiet time, of all of them at most, and of a wait, in percent. */
const quietWidth = 4
const quietsWidth = 40
const waitWidth = 34

/** The share of the axis that quiet time may take, and how much longer than all else a wait may be. */
const quietShare = 0.1
const waitTimes = 9

/** Shorter times are never cut. In milliseconds. */
const cutMin = 1_000

interface Stretch extends Span {
  readonly kind: "busy" | "quiet" | "wait"
}

export interface Stays {
  /** All instants at which something happens. */
  readonly moments: ReadonlyArray<number>
  readonly busy: ReadonlyArray<Span>
  readonly waits: ReadonlyArray<Span>
}

export const axisOf = ({ busy, moments, waits }: Stays): Axis => {
  const spans = [...busy, ...waits]
  const points = [...new Set([...moments, ...spans.flatMap(({ from, to }) => [from, to])])].toSorted(
    (one, other) => one - other
  )
  const start = points[0] ?? 0
  const end = Math.max(points.at(-1) ?? 0, start + 1)
  const isIn = (within: ReadonlyArray<Span>, { from, to }: Span) =>
    within.some((span) => span.from <= from && span.to >= to)
  const ends = points.length < 2 ? [start, end] : points
  const stretches = ends.slice(1).map((to, index): Stretch => {
    const span = { from: ends[index] ?? to, to }
    return { ...span, kind: isIn(busy, span) ? "busy" : isIn(waits, span) ? "wait" : "quiet" }
  })
  const widths = cutsOf(stretches)
  const cutWidth = [...widths.values()].reduce((sum, width) => sum + width, 0)
  const drawn = stretches.reduce((sum, each) => sum + (widths.has(each) ? 0 : lengthOf(each)), 0)
  const scale = (100 - cutWidth) / Math.max(1, drawn)
  let left = 0
  const placed = stretches.map((stretch) => {
    const width = widths.get(stretch) ?? lengthOf(stretch) * scale
    left += width
    return { stretch, width, left: left - width, isCut: widths.has(stretch) }
  })
  const at = (moment: number): number => {
    const inside = placed.find(({ stretch }) => moment <= stretch.to) ?? placed.at(-1)
    if (inside === undefined) return 0
    const share = (moment - inside.stretch.from) / Math.max(1, lengthOf(inside.stretch))
    return Math.min(100, inside.left + inside.width * Math.min(1, Math.max(0, share)))
  }
  return {
    start,
    end,
    at,
    cuts: placed
      .filter(({ isCut }) => isCut)
      .map(({ left: from, stretch, width }) => ({
        from,
        to: from + width,
        words: durationWords(lengthOf(stretch)),
        isWait: stretch.kind === "wait"
      })),
    ticks: ticksOf({ start, at, placed, drawn })
  }
}

const lengthOf = ({ from, to }: Span): number => to - from

/** What is cut, with its width. The shorter a quiet stretch, the sooner it is drawn to scale. */
const cutsOf = (stretches: ReadonlyArray<Stretch>): ReadonlyMap<Stretch, number> => {
  const cuts = new Map<Stretch, number>()
  const isOver = (each: Stretch, max: number) => lengthOf(each) > Math.max(cutMin, max)
  let drawn = stretches.reduce((sum, each) => sum + (each.kind === "quiet" ? 0 : lengthOf(each)), 0)
  const quiet = stretches.filter(({ kind }) => kind === "quiet")
  for (const each of quiet.toSorted((a, b) => lengthOf(a) - lengthOf(b))) {
    if (drawn > 0 && isOver(each, drawn * quietShare)) cuts.set(each, 0)
    else drawn += lengthOf(each)
  }
  // Where nothing else happens, as between attempts, all are as wide.
  const width = quiet.length === stretches.length ? 100 / quiet.length : quietsWidth / cuts.size
  for (const each of cuts.keys())
    cuts.set(each, quiet.length === stretches.length ? width : Math.min(quietWidth, width))
  const wait = stretches.find(
    (each) =>
      each.kind === "wait" && drawn > lengthOf(each) && isOver(each, waitTimes * (drawn - lengthOf(each)))
  )
  return wait === undefined ? cuts : cuts.set(wait, waitWidth)
}

/** Round steps of time, in milliseconds. */
const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 1_200_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 43_200_000, 86_400_000, 172_800_000,
  604_800_000
]

/** The width of a letter on a phone, and the space between labels, in percent. */
const letter = 1.8
const space = 2

/** Where the text of a label is set, as in SVG. */
export const anchorOf = (at: number): "end" | "middle" | "start" =>
  at < 8 ? "start" : at > 92 ? "end" : "middle"

interface TickOptions extends Pick<Axis, "at" | "start"> {
  readonly placed: ReadonlyArray<{ readonly stretch: Stretch; readonly isCut: boolean }>
  /** Milliseconds that are drawn to scale. */
  readonly drawn: number
}

/** Since the start; after a cut, since its end, which would otherwise all read the same. */
const ticksOf = ({ at, drawn, placed, start }: TickOptions): Axis["ticks"] => {
  const step = steps.find((each) => each >= drawn / 5) ?? 604_800_000
  const ticks: Array<Axis["ticks"][number] & { readonly until: number }> = []
  const add = (moment: number, words: string) => {
    const where = at(moment)
    const width = words.length * letter
    const from = where - { end: width, middle: width / 2, start: 0 }[anchorOf(where)]
    const last = ticks.at(-1)
    if (last === undefined || (from >= last.until + space && words !== last.words))
      ticks.push({ at: where, words, until: from + width })
  }
  let since = start
  for (const { isCut, stretch } of placed) {
    if (isCut) {
      since = stretch.to
      add(since, durationWords(since - start))
      continue
    }
    const first = Math.ceil((stretch.from - since) / step)
    for (let each = first; since + each * step <= stretch.to; each++) {
      const words = durationWords(each * step)
      if (each > 0 || since === start)
        add(since + each * step, each === 0 ? "0" : since === start ? words : `+${words}`)
    }
  }
  return ticks.map(({ at: where, words }) => ({ at: where, words }))
}

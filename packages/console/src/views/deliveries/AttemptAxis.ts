/** Positions of attempts on a logarithmic time axis, which shows seconds and days at once. */

export interface Mark {
  /** The position on the axis, from 0 to 1. */
  readonly place: number
  readonly kind: "failed" | "delivered" | "toCome"
}

export interface Tick {
  readonly place: number
  readonly words: string
}

export interface Axis {
  readonly marks: ReadonlyArray<Mark>
  readonly ticks: ReadonlyArray<Tick>
}

export interface Moments {
  /** The start of the round. */
  readonly from: number
  readonly tries: ReadonlyArray<{ readonly at: number; readonly kind: Mark["kind"] }>
}

const second = 1_000
const candidates: ReadonlyArray<readonly [ms: number, words: string]> = [
  [0, "0"],
  [second, "1 s"],
  [5 * second, "5 s"],
  [30 * second, "30 s"],
  [180 * second, "3 min"],
  [720 * second, "12 min"],
  [2_700 * second, "45 min"],
  [7_200 * second, "2 h"],
  [18_000 * second, "5 h"],
  [43_200 * second, "12 h"],
  [86_400 * second, "1 d"],
  [259_200 * second, "3 d"]
]

/** Margin at both ends, so that no mark is cut off. */
const margin = 0.02
/** Labels closer than that would touch. */
const apart = 0.08

export const axisOf = ({ from, tries }: Moments): Axis => {
  const since = (at: number) => Math.max(0, at - from)
  const length = Math.max(second, ...tries.map(({ at }) => since(at)))
  const placeOf = (ms: number) =>
    margin + (1 - 2 * margin) * (Math.log1p(ms / second) / Math.log1p(length / second))
  const ticks: Array<Tick> = []
  for (const [ms, words] of candidates) {
    const place = placeOf(ms)
    const last = ticks.at(-1)
    if (ms <= length && (last === undefined || place - last.place >= apart)) ticks.push({ place, words })
  }
  return { marks: tries.map(({ at, kind }) => ({ place: placeOf(since(at)), kind })), ticks }
}

/** A phase of an attempt, as a share of the slowest attempt shown. */
export interface Phase {
  readonly name: PhaseName
  readonly from: number
  readonly width: number
}

export type PhaseName = "dns" | "connect" | "tls" | "headers" | "body"

/** In the order in which they happen. */
export const phaseNames: ReadonlyArray<PhaseName> = ["dns", "connect", "tls", "headers", "body"]

export const phaseWords: { readonly [Name in PhaseName]: string } = {
  dns: "find address",
  connect: "connect",
  tls: "TLS",
  headers: "send and wait",
  body: "read body"
}

/** The least width of a phase, so that a very short one is visible. */
const widthMin = 0.01

export const phasesOf = (
  timings: { readonly [Name in PhaseName]: number | null },
  slowestMs: number
): ReadonlyArray<Phase> => {
  const whole = Math.max(1, slowestMs)
  let from = 0
  return phaseNames.flatMap((name) => {
    const ms = timings[name]
    if (ms === null) return []
    const width = Math.min(Math.max(widthMin, ms / whole), 1 - Math.min(from, 1 - widthMin))
    const phase = { name, from: Math.min(from, 1 - widthMin), width }
    from += width
    return [phase]
  })
}

/** A quantity over time: its trend, and a drawing of it. */

export interface Point {
  /** Seconds since the beginning. */
  readonly at: number
  readonly value: number
}

const secondsPerHour = 3_600

/** How much it grows in an hour, by least squares; not a number with fewer than two moments. */
export const slopePerHour = (points: ReadonlyArray<Point>): number => {
  const known = points.filter(({ value }) => Number.isFinite(value))
  const mean = (of: (point: Point) => number) => known.reduce((sum, each) => sum + of(each), 0) / known.length
  const at = mean((point) => point.at)
  const value = mean((point) => point.value)
  const spread = known.reduce((sum, point) => sum + (point.at - at) ** 2, 0)
  const together = known.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0)
  return known.length < 2 ? Number.NaN : (together / spread) * secondsPerHour
}

/** The second half, in which nothing warms up any more. */
export const secondHalf = (points: ReadonlyArray<Point>): ReadonlyArray<Point> =>
  points.slice(Math.floor(points.length / 2))

const columns = 60
const rows = 6

/** A drawing in plain text: the highest value of each stretch of time, between the least and the greatest. */
export const drawn = (points: ReadonlyArray<Point>): string => {
  const known = points.filter(({ value }) => Number.isFinite(value))
  const first = known[0]
  const last = known.at(-1)
  if (first === undefined || last === undefined) return "  (not told)"
  const values = known.map(({ value }) => value)
  const least = Math.min(...values)
  const range = Math.max(...values) - least || 1
  const width = Math.min(columns, known.length)
  const span = last.at - first.at || 1
  const highest = Array.from({ length: width }, () => Number.NaN)
  for (const { at, value } of known) {
    const column = Math.min(width - 1, Math.floor(((at - first.at) / span) * width))
    highest[column] = Math.max(highest[column] || -Infinity, value)
  }
  const rowOf = (value: number) => Math.round(((value - least) / range) * (rows - 1))
  const lines = Array.from({ length: rows }, (_, place) =>
    highest.map((value) => (rowOf(value) === rows - 1 - place ? "*" : " ")).join("")
  )
  return lines.map((line) => `  |${line.trimEnd()}`).join("\n")
}

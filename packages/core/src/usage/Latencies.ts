/**
 * How long things took, kept as counts in ranges: sums of many processes can be
 * added up, and percentiles read off. Each range ends at 1.5 times the end of the
 * one before, so a percentile is off by that much at worst.
 */

/** How many things took how long, by range; missing ranges at the end had none. */
export type Latencies = ReadonlyArray<number>

/** Where the first range ends, in milliseconds. */
const firstEnd = 5
export const growth = 1.5

/** The last range has no end; the one before ends after five days. */
export const rangeCount = 48

export const noLatencies: Latencies = []

/** The range of a duration in milliseconds. */
export const rangeOf = (millis: number): number =>
  millis <= firstEnd
    ? 0
    : Math.min(rangeCount - 1, Math.ceil(Math.log(millis / firstEnd) / Math.log(growth) - 1e-9))

/** The end of a range, in milliseconds. */
const endOf = (range: number): number => firstEnd * growth ** range

export const addLatencies = (one: Latencies, other: Latencies): Latencies =>
  Array.from(
    { length: Math.max(one.length, other.length) },
    (_, range) => (one[range] ?? 0) + (other[range] ?? 0)
  )

/** The milliseconds within which that share of them was done; null if there were none. */
export const percentile = (latencies: Latencies, share: number): number | null => {
  const total = latencies.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const wanted = share * total
  let before = 0
  for (const [range, count] of latencies.entries()) {
    if (count > 0 && before + count >= wanted) {
      const start = range === 0 ? 0 : endOf(range - 1)
      return Math.round(start + ((endOf(range) - start) * (wanted - before)) / count)
    }
    before += count
  }
  return Math.round(endOf(rangeCount - 1))
}

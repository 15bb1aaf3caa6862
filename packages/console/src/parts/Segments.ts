/** Which rows of a list are in the document: all of a short one, and of a long one those that somebody may reach. */

/** A list of no more rows is there as a whole, for whoever searches in the page. */
export const wholeUpTo = 200

/** Rows that come and go together: half a page of a list. */
export const groupSize = 25

/** Rows that follow each other, and are all there or all away. */
export interface Segment {
  readonly isDrawn: boolean
  readonly from: number
  /** The row after its last. */
  readonly to: number
  /** In pixels; as far as some of its groups were not measured, a guess. */
  readonly height: number
}

/** The height of a row by its group, on average; undefined until the group was measured. */
export type RowHeights = ReadonlyArray<number | undefined>

/** A part of the page, in pixels below the first row. */
export interface Range {
  readonly top: number
  readonly bottom: number
}

export interface Placed {
  readonly count: number
  readonly heights: RowHeights
  readonly near: Range
  /** The row that has the focus; -1 without one. */
  readonly focused: number
}

export const groupOf = (row: number): number => Math.floor(row / groupSize)

/**
 * Besides what is near, the first and the last row are there, where Tab comes
 * from outside, and the row with the focus between its neighbours, so that the
 * focus never goes with a row and the next key finds the next one.
 */
export const segmentsOf = ({ count, focused, heights, near }: Placed): ReadonlyArray<Segment> => {
  const guess = meanOf(heights)
  // Nothing gives way before some of it was measured.
  if (count <= wholeUpTo || guess === undefined) return [{ isDrawn: true, from: 0, to: count, height: 0 }]
  const kept = new Set(
    [0, count - 1, ...(focused < 0 ? [] : [focused - 1, focused, focused + 1])].map(groupOf)
  )
  const segments: Array<Segment> = []
  let y = 0
  for (let from = 0; from < count; from += groupSize) {
    const to = Math.min(from + groupSize, count)
    const height = (heights[groupOf(from)] ?? guess) * (to - from)
    const isDrawn = kept.has(groupOf(from)) || (y < near.bottom && y + height > near.top)
    const before = segments.at(-1)
    if (before?.isDrawn === isDrawn) segments.splice(-1, 1, { ...before, to, height: before.height + height })
    else segments.push({ isDrawn, from, to, height })
    y += height
  }
  return segments
}

const meanOf = (heights: RowHeights): number | undefined => {
  const known = heights.filter((height) => height !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, height) => sum + height, 0) / known.length
}

/** In pixels: what is near changes after so many of scrolling. */
const step = 200

/** A window's height above the window and below it, so that rows are there before they are seen. */
export const nearOf = (offset: number, windowHeight: number): Range => {
  const at = Math.floor(offset / step) * step
  return { top: at - windowHeight, bottom: at + step + 2 * windowHeight }
}

/** The heights with those that were measured; the same ones when nothing differs by a pixel. */
export const withMeasured = (
  heights: RowHeights,
  measured: ReadonlyArray<readonly [group: number, height: number]>
): RowHeights => {
  const changed = measured.filter(
    ([group, height]) => Math.abs((heights[group] ?? 0) - height) * groupSize >= 1
  )
  if (changed.length === 0) return heights
  const after = [...heights]
  for (const [group, height] of changed) after[group] = height
  return after
}

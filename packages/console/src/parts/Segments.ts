/** Which rows of a list are in the document: all of a short list, and of a long one those within reach. */

/** Up to so many rows, all are rendered, so that the browser's search finds them. */
export const wholeUpTo = 200

/** Rows that are rendered and removed together: half a page of a list. */
export const groupSize = 25

/** Consecutive rows that are either all rendered or all replaced by a gap. */
export interface Segment {
  readonly isDrawn: boolean
  readonly from: number
  /** The row after its last. */
  readonly to: number
  /** In pixels; estimated where groups have not been measured. */
  readonly height: number
}

/** The average height of a row of each group; undefined until the group was measured. */
export type RowHeights = ReadonlyArray<number | undefined>

/** A part of the page, in pixels below the first row. */
export interface Range {
  readonly top: number
  readonly bottom: number
}

export interface ListLayout {
  readonly count: number
  readonly heights: RowHeights
  readonly near: Range
  /** The row that has the focus; -1 without one. */
  readonly focused: number
}

export const groupOf = (row: number): number => Math.floor(row / groupSize)

/**
 * Besides the rows near the viewport, the first and the last row are rendered, since Tab
 * enters there, and the focused row with its neighbours, so that the focus is never lost.
 */
export const segmentsOf = ({ count, focused, heights, near }: ListLayout): ReadonlyArray<Segment> => {
  if (count <= wholeUpTo) return [{ isDrawn: true, from: 0, to: count, height: 0 }]
  const guess = meanOf(heights)
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

/** In pixels: the height of rows of which none was measured. */
const usualHeight = 41

const meanOf = (heights: RowHeights): number => {
  const known = heights.filter((height) => height !== undefined)
  return known.length === 0 ? usualHeight : known.reduce((sum, height) => sum + height, 0) / known.length
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

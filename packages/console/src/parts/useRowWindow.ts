/** Tracks which part of a long list is in the viewport, and how high its rows are. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import {
  groupOf,
  groupSize,
  nearOf,
  type Range,
  type RowHeights,
  type Segment,
  segmentsOf,
  wholeUpTo,
  withMeasured
} from "./Segments.ts"

/** What is known of a list on the screen, for when it is shown again. */
export interface Drawn {
  heights: RowHeights
  near: Range
}

export const newDrawn = (): Drawn => ({ heights: [], near: { top: 0, bottom: 0 } })

/**
 * The segments to render in the `tbody` that gets `body`: their rows, or one row for each gap.
 * `memory` is no state: measuring must not cause another render, which would be measured again.
 */
export const useRowWindow = (count: number, focused: number, memory: Drawn) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const [near, setNear] = useState(memory.near)
  memory.near = near
  const segments = segmentsOf({ count, focused, heights: memory.heights, near })
  const drawn = useRef(segments)
  drawn.current = segments
  const isLong = count > wholeUpTo

  // Rows that Preact moves lose the focus.
  const active = document.activeElement
  useLayoutEffect(() => {
    if (
      active !== document.activeElement &&
      active instanceof HTMLElement &&
      body.current?.contains(active) === true
    )
      active.focus({ preventScroll: true })
  })

  // Before the paint, so that a gap is as high as the rows that it replaces.
  useLayoutEffect(() => {
    if (isLong && body.current !== null)
      memory.heights = withMeasured(memory.heights, measuredIn(body.current, segments))
  })

  useLayoutEffect(() => {
    const place = body.current
    if (!isLong || place === null) return undefined
    const look = () => {
      const next = nearOf(-place.getBoundingClientRect().top, innerHeight)
      setNear((before) => (before.top === next.top && before.bottom === next.bottom ? before : next))
    }
    const measureAnew = () => {
      keepWidths(place)
      memory.heights = withMeasured([], measuredIn(place, drawn.current))
      setNear(nearOf(-place.getBoundingClientRect().top, innerHeight))
    }
    keepWidths(place)
    look()
    // It may scroll within a part of the page, whose events do not bubble.
    addEventListener("scroll", look, { passive: true, capture: true })
    addEventListener("resize", measureAnew)
    return () => {
      removeEventListener("scroll", look, { capture: true })
      removeEventListener("resize", measureAnew)
    }
  }, [isLong])

  return { body, isLong, segments }
}

const measuredIn = (
  body: HTMLTableSectionElement,
  segments: ReadonlyArray<Segment>
): ReadonlyArray<readonly [group: number, height: number]> => {
  const topOf = (row: number) => body.rows[row]?.getBoundingClientRect().top
  const measured: Array<readonly [number, number]> = []
  let row = 0
  for (const { from, isDrawn, to } of segments) {
    if (!isDrawn) {
      row += 1
      continue
    }
    for (let first = from; first < to; first += groupSize) {
      const size = Math.min(groupSize, to - first)
      const start = topOf(row) ?? 0
      row += size
      measured.push([groupOf(first), ((topOf(row) ?? body.getBoundingClientRect().bottom) - start) / size])
    }
  }
  return measured
}

/** Fixes the widths of the columns while rows come and go. */
const keepWidths = (body: HTMLTableSectionElement): void => {
  const heads = [...(body.closest("table")?.tHead?.rows[0]?.cells ?? [])]
  for (const head of heads) head.style.width = ""
  const widths = heads.map((head) => head.offsetWidth)
  const whole = widths.reduce((sum, width) => sum + width, 0)
  for (const [at, head] of heads.entries()) head.style.width = `${(100 * (widths[at] ?? 0)) / whole}%`
}

/** The rows of a list, in groups. Of a long list only the groups near the viewport are rendered; those between are one gap. */
import { Component, type ComponentChild, type RefObject } from "preact"
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { cellsOf, type Column } from "./Table.tsx"

/** What is known of a list on the screen, for when it is shown again. */
export interface Drawn {
  /** In pixels, by group. */
  readonly heights: Map<number, number>
  /** The first and the last group near the viewport. */
  near: readonly [number, number]
}

export const newDrawn = (): Drawn => ({ heights: new Map(), near: [0, wholeUpTo / groupSize] })

/** Up to so many rows, all are rendered, so that the browser's search finds them. */
export const wholeUpTo = 200

/** Rows that are rendered and removed together. */
const groupSize = 25

/** In pixels: the height of a row of which none was measured. */
const usualHeight = 41

export interface RowsProps<Item> {
  readonly items: ReadonlyArray<Item>
  readonly columns: ReadonlyArray<Column<Item>>
  readonly idOf: (item: Item) => string
  /** The row whose page was opened last, or is shown beside the list. */
  readonly currentId: string | undefined
  readonly memory: Drawn
  readonly table: RefObject<HTMLTableElement | null>
}

export const Rows = <Item,>({ items, table, ...props }: RowsProps<Item>) => {
  const { columns, currentId, idOf, memory } = props
  const [focusedId, setFocusedId] = useState(currentId)
  const onFocus = useCallback((item: Item) => setFocusedId(idOf(item)), [])
  const [near, setNear] = useState(memory.near)
  memory.near = near
  const isLong = items.length > wholeUpTo
  const last = Math.ceil(items.length / groupSize) - 1
  const focused = useMemo(
    () => (isLong ? Math.floor(items.findIndex((item) => idOf(item) === focusedId) / groupSize) : 0),
    [items, focusedId]
  )
  const heightOf = (at: number) => memory.heights.get(at) ?? groupSize * usualHeight
  /** The groups that are rendered, and the others by the one behind them. */
  const parts: Array<{ readonly from: number; readonly to: number; readonly isGap: boolean }> = []
  for (let at = 0, from = 0; at <= last; at++) {
    // Tab enters at the first and the last; the next key finds the neighbours of the one with the focus.
    const isKept = !isLong || at === 0 || at === last || Math.abs(at - focused) < 2
    if (!isKept && (at < near[0] || at > near[1])) continue
    if (from < at) parts.push({ from, to: at, isGap: true })
    from = at + 1
    parts.push({ from: at, to: from, isGap: false })
  }
  const look = useRef(() => {})
  look.current = () => {
    const bodies = table.current?.tBodies
    for (const [index, { from, isGap }] of parts.entries()) {
      const height = bodies?.[index]?.getBoundingClientRect().height
      if (!isGap && height !== undefined) memory.heights.set(from, height)
    }
    let top = bodies?.[0]?.getBoundingClientRect().top ?? 0
    let [first, final] = [-1, -1]
    for (let at = 0; at <= last; at++) {
      // A window's height above and below, so that rows are there before they are seen.
      if (top <= 2 * innerHeight) final = at
      top += heightOf(at)
      if (first === -1 && top >= -innerHeight) first = at
    }
    setNear((before) => (before[0] === first && before[1] === final ? before : [first, final]))
  }
  useLayoutEffect(() => {
    if (!isLong) return undefined
    const fix = () => fixWidths(table.current)
    const onScroll = () => look.current()
    const onResize = () => {
      memory.heights.clear()
      fix()
      onScroll()
    }
    fix()
    onScroll()
    // With the event, so that what comes near is there in the same frame; a list beside a page scrolls by itself.
    addEventListener("scroll", onScroll, { capture: true, passive: true })
    addEventListener("resize", onResize)
    return () => {
      removeEventListener("scroll", onScroll, { capture: true })
      removeEventListener("resize", onResize)
    }
  }, [isLong, columns])
  return (
    <>
      {parts.map(({ from, isGap, to }) => {
        const groups = Array.from({ length: to - from }, (_, index) => heightOf(from + index))
        return isGap ? (
          // However many rows are not rendered, the browser has one in their place.
          <tbody key={`to ${to}`}>
            <tr
              class="gap"
              aria-hidden="true"
              style={{ height: `${groups.reduce((sum, height) => sum + height, 0)}px` }}
            >
              <td colSpan={columns.length} />
            </tr>
          </tbody>
        ) : (
          <Group
            {...props}
            key={from}
            at={from}
            rows={items.slice(from * groupSize, to * groupSize)}
            isLong={isLong}
            onFocus={onFocus}
          />
        )
      })}
    </>
  )
}

interface GroupProps<Item> extends Omit<RowsProps<Item>, "items" | "memory" | "table"> {
  readonly at: number
  readonly rows: ReadonlyArray<Item>
  readonly isLong: boolean
  readonly onFocus: (item: Item) => void
}

const Group = <Item,>({ at, columns, currentId, idOf, isLong, onFocus, rows }: GroupProps<Item>) => (
  <tbody>
    {rows.map((item, index) => (
      <Row
        key={idOf(item)}
        item={item}
        columns={columns}
        isCurrent={idOf(item) === currentId}
        onFocus={onFocus}
        // The table head counts as the first row.
        place={isLong ? at * groupSize + index + 2 : undefined}
      />
    ))}
  </tbody>
)

interface RowProps<Item> extends Pick<GroupProps<Item>, "columns" | "onFocus"> {
  readonly item: Item
  readonly place: number | undefined
  readonly isCurrent: boolean
}

/** Rendered again only when its item has changed, or one of its parts follows a value. */
class Row<Item> extends Component<RowProps<Item>> {
  override shouldComponentUpdate(next: RowProps<Item>, state: object): boolean {
    const { columns, isCurrent, item, place } = this.props
    return (
      state !== this.state ||
      next.item !== item ||
      next.columns !== columns ||
      next.place !== place ||
      next.isCurrent !== isCurrent
    )
  }

  override render({ columns, isCurrent, item, onFocus, place }: RowProps<Item>): ComponentChild {
    return (
      <tr class={isCurrent ? "chosen" : undefined} aria-rowindex={place} onFocusIn={() => onFocus(item)}>
        {cellsOf(columns, item)}
      </tr>
    )
  }
}

/** Fixes the widths of the columns of a long list, while its rows come and go. */
const fixWidths = (table: HTMLTableElement | null): void => {
  const heads = [...(table?.tHead?.rows[0]?.cells ?? [])]
  for (const head of heads) head.style.width = ""
  const widths = heads.map((head) => head.offsetWidth)
  const whole = widths.reduce((sum, width) => sum + width, 0)
  for (const [at, head] of heads.entries()) head.style.width = `${(100 * (widths[at] ?? 0)) / whole}%`
}

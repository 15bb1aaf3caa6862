/** The rows of a list, in groups. Of a long list only the groups near the viewport are rendered; the others are gaps. */
import { Component, type ComponentChild, type RefObject } from "preact"
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"

import { cellsOf, type Column } from "./Table.tsx"

/** What is known of a list on the screen, for when it is shown again: by group. */
export interface Drawn {
  /** In pixels. */
  readonly heights: Map<number, number>
  readonly near: Set<number>
}

export const newDrawn = (): Drawn => ({ heights: new Map(), near: new Set() })

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
  const isLong = items.length > wholeUpTo
  const last = Math.ceil(items.length / groupSize) - 1
  const focused = isLong ? Math.floor(items.findIndex((item) => idOf(item) === focusedId) / groupSize) : 0
  useLayoutEffect(() => {
    if (!isLong) return undefined
    const onResize = () => {
      memory.heights.clear()
      fixWidths(table.current)
    }
    fixWidths(table.current)
    addEventListener("resize", onResize)
    return () => removeEventListener("resize", onResize)
  }, [isLong, columns])
  return (
    <>
      {Array.from({ length: last + 1 }, (_, at) => (
        <Group
          {...props}
          key={at}
          at={at}
          rows={items.slice(at * groupSize, (at + 1) * groupSize)}
          isLong={isLong}
          // Tab enters at the first and the last; the next key finds the neighbours of the one with the focus.
          isKept={!isLong || at === 0 || at === last || Math.abs(at - focused) < 2}
          onFocus={onFocus}
        />
      ))}
    </>
  )
}

interface GroupProps<Item> extends Omit<RowsProps<Item>, "items" | "table"> {
  readonly at: number
  readonly rows: ReadonlyArray<Item>
  readonly isLong: boolean
  readonly isKept: boolean
  readonly onFocus: (item: Item) => void
}

const Group = <Item,>(props: GroupProps<Item>) => {
  const { at, columns, currentId, idOf, isKept, isLong, memory, onFocus, rows } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const [isNear, setNear] = useState(memory.near.has(at))
  useEffect(() => {
    const place = body.current
    if (!isLong || place === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1)
        if (entry === undefined) return
        const { boundingClientRect, isIntersecting } = entry
        if (place.rows[0]?.className !== "gap") memory.heights.set(at, boundingClientRect.height)
        if (isIntersecting) memory.near.add(at)
        else memory.near.delete(at)
        setNear(isIntersecting)
      },
      // A window's height above and below, so that rows are there before they are seen.
      { rootMargin: "100% 0px" }
    )
    observer.observe(place)
    return () => observer.disconnect()
  }, [isLong])
  return (
    <tbody ref={body}>
      {isKept || isNear ? (
        rows.map((item, index) => (
          <Row
            key={idOf(item)}
            item={item}
            columns={columns}
            isCurrent={idOf(item) === currentId}
            onFocus={onFocus}
            // The table head counts as the first row.
            place={isLong ? at * groupSize + index + 2 : undefined}
          />
        ))
      ) : (
        <tr
          class="gap"
          aria-hidden="true"
          style={{ height: `${memory.heights.get(at) ?? rows.length * usualHeight}px` }}
        >
          <td colSpan={columns.length} />
        </tr>
      )}
    </tbody>
  )
}

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

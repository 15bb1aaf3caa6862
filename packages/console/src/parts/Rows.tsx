/** The rows of a list. Of a long one only those near the viewport are rendered, with gaps as high as the others. */
import { Component, type ComponentChild } from "preact"
import { useCallback, useMemo, useState } from "preact/hooks"
import { type Drawn, useRowWindow } from "./useRowWindow.ts"

export interface Column<Item> {
  readonly head: string
  /** Whether only screen readers have it. */
  readonly isHeadHidden?: boolean
  readonly cell: (item: Item) => ComponentChild
  /** The cell that names the row, and has its link. */
  readonly isRowHead?: boolean
  /**
   * `p3` is hidden below 70rem, `p2` below 50rem, `p1` moves below the row's
   * name on a card; `end` is right-aligned, as numbers and times are.
   */
  readonly class?: string
}

export interface RowsProps<Item> {
  readonly items: ReadonlyArray<Item>
  readonly columns: ReadonlyArray<Column<Item>>
  readonly idOf: (item: Item) => string
  /** The row whose page was opened last, or is shown beside the list. */
  readonly currentId: string | undefined
  readonly memory: Drawn
}

export const Rows = <Item,>({ columns, currentId, idOf, items, memory }: RowsProps<Item>) => {
  const [focusedId, setFocusedId] = useState(currentId)
  const focused = useMemo(() => items.findIndex((item) => idOf(item) === focusedId), [items, focusedId])
  const { body, isLong, segments } = useRowWindow(items.length, focused, memory)
  const onFocus = useCallback((item: Item) => setFocusedId(idOf(item)), [])
  return (
    <tbody ref={body}>
      {segments.flatMap(({ from, height, isDrawn, to }) =>
        isDrawn ? (
          items.slice(from, to).map((item, at) => (
            <Row
              key={idOf(item)}
              item={item}
              columns={columns}
              isCurrent={idOf(item) === currentId}
              onFocus={onFocus}
              // The table head counts as the first row.
              place={isLong ? from + at + 2 : undefined}
            />
          ))
        ) : (
          <tr class="gap" aria-hidden="true" key={`gap ${from}`} style={{ height: `${height}px` }}>
            <td colSpan={columns.length} />
          </tr>
        )
      )}
    </tbody>
  )
}

interface RowProps<Item> extends Pick<RowsProps<Item>, "columns"> {
  readonly item: Item
  readonly place: number | undefined
  readonly isCurrent: boolean
  readonly onFocus: (item: Item) => void
}

/** Rendered again only when its item or a signal that it reads has changed. */
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
        {columns.map(({ cell, class: name, head, isRowHead = false }) =>
          isRowHead ? (
            <th scope="row" class={name} key={head}>
              {cell(item)}
            </th>
          ) : (
            <td class={name} key={head}>
              {cell(item)}
            </td>
          )
        )}
      </tr>
    )
  }
}

/**
 * Rows of a table, as many as a page of a list: drawn again only when one of
 * them has changed, so that a page more costs no more in a long list.
 */
import { Component, type ComponentChild } from "preact"
import type { Column } from "./List.tsx"

export interface RowGroupProps<Item> {
  readonly items: ReadonlyArray<Item>
  readonly columns: ReadonlyArray<Column<Item>>
  readonly idOf: (item: Item) => string
}

/** The rows of one group. */
const groupSize = 50

export const groupsOf = <Item,>(rows: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> =>
  Array.from({ length: Math.ceil(rows.length / groupSize) }, (_, group) =>
    rows.slice(group * groupSize, (group + 1) * groupSize)
  )

export class RowGroup<Item> extends Component<RowGroupProps<Item>> {
  override shouldComponentUpdate(next: RowGroupProps<Item>): boolean {
    const { columns, items } = this.props
    return (
      next.columns !== columns ||
      next.items.length !== items.length ||
      next.items.some((item, at) => item !== items[at])
    )
  }

  override render({ columns, idOf, items }: RowGroupProps<Item>): ComponentChild {
    return (
      <tbody>
        {items.map((item) => (
          <tr key={idOf(item)}>
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
        ))}
      </tbody>
    )
  }
}

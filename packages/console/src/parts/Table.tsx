/** A table whose rows are all there. It scrolls sideways within itself. */
import type { ComponentChildren } from "preact"
import type { Column } from "./Rows.tsx"

export interface TableProps<Item> {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Item>>
  readonly items: ReadonlyArray<Item>
  readonly idOf: (item: Item) => string
  /** Class of the table: `list` makes its rows cards below 50rem. */
  readonly class?: string
}

export const Table = <Item,>({ class: name, columns, idOf, items, label }: TableProps<Item>) => (
  <div class="scroll" role="region" aria-label={label} tabIndex={0}>
    <table class={name}>
      <caption class="hide">{label}</caption>
      <thead>
        <tr>
          <Heads of={columns} />
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={idOf(item)}>{cellsOf(columns, item)}</tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** The heads of columns. */
export const Heads = <Item,>({ of }: { readonly of: ReadonlyArray<Column<Item>> }) => (
  <>
    {of.map(({ class: name, head, isHeadHidden = false }) => (
      <th scope="col" class={name} key={head}>
        {isHeadHidden ? <span class="hide">{head}</span> : head}
      </th>
    ))}
  </>
)

/** The cells of one row. */
export const cellsOf = <Item,>(columns: ReadonlyArray<Column<Item>>, item: Item): ComponentChildren =>
  columns.map(({ cell, class: name, head, isRowHead = false }) =>
    isRowHead ? (
      <th scope="row" class={name} key={head}>
        {cell(item)}
      </th>
    ) : (
      <td class={name} key={head}>
        {cell(item)}
      </td>
    )
  )

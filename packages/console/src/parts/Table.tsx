/** A table whose rows are all there. It scrolls sideways within itself. */
import type { ComponentChild, ComponentChildren } from "preact"
import { isNothing } from "./Facts.tsx"
import { Card } from "./Card.tsx"
import { Loaded, type LoadedProps } from "./Skeleton.tsx"

export interface Column<Item> {
  readonly head: string
  /** Whether only screen readers have it. */
  readonly isHeadHidden?: boolean
  /** What stands in the head in its place. */
  readonly headCell?: ComponentChild
  readonly cell: (item: Item) => ComponentChild
  /** The second line of the cell. */
  readonly sub?: (item: Item) => ComponentChild
  /** The word in place of a cell without a value. */
  readonly none?: string
  /** The cell that names the row, and has its link. */
  readonly isRowHead?: boolean
  /**
   * `p4` is only shown where there is much room, `p3` not where there is little, `p2` not where there is less; `p1`
   * moves below the row's name on a card; `line` never breaks on a desk; `end` is right-aligned, as numbers and times are.
   */
  readonly class?: string
}

export interface TableProps<Item> {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Item>>
  readonly items: ReadonlyArray<Item>
  readonly idOf: (item: Item) => string
  /** Class of the table: `list` makes its rows cards below 50rem. */
  readonly class?: string
  /** The item that is shown beside or below. */
  readonly current?: Item | undefined
  /** Shown when there are none. */
  readonly none?: ComponentChild
}

export const Table = <Item,>(props: TableProps<Item>) => {
  const { class: name, columns, current, idOf, items, label, none } = props
  return none !== undefined && items.length === 0 ? (
    <>{none}</>
  ) : (
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
            <tr key={idOf(item)} class={item === current ? "chosen" : undefined}>
              {cellsOf(columns, item)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The heads of columns. */
export const Heads = <Item,>({ of }: { readonly of: ReadonlyArray<Column<Item>> }) => (
  <>
    {of.map(({ class: name, head, headCell = head, isHeadHidden = false }) => (
      <th scope="col" class={name} key={head}>
        {isHeadHidden ? <span class="hide">{head}</span> : headCell}
      </th>
    ))}
  </>
)

/** The cells of one row. */
export const cellsOf = <Item,>(columns: ReadonlyArray<Column<Item>>, item: Item): ComponentChildren =>
  columns.map((column) =>
    column.isRowHead === true ? (
      <th scope="row" class={column.class} key={column.head}>
        {contentOf(column, item)}
      </th>
    ) : (
      <td class={column.class} key={column.head}>
        {contentOf(column, item)}
      </td>
    )
  )

const contentOf = <Item,>({ cell, none, sub }: Column<Item>, item: Item) => {
  const [first, second] = [cell(item), sub?.(item)]
  return (
    <>
      {none !== undefined && isNothing(first) ? <span class="quiet">{none}</span> : first}
      {isNothing(second) ? null : <span class="sub">{second}</span>}
    </>
  )
}

export interface LatestProps<Item> {
  /** `deliveries` */
  readonly many: string
  readonly of: LoadedProps<{ readonly data: ReadonlyArray<Item> }>["of"]
  readonly columns: ReadonlyArray<Column<Item>>
  readonly all: string
}

/** The latest things that belong to another one, and the way to all of them. */
export const Latest = <Item extends { readonly id: string }>({
  all,
  columns,
  many,
  of
}: LatestProps<Item>) => (
  <Card title={`Last ${many}`}>
    <Loaded of={of} what={`list of ${many}`} lines={2}>
      {({ data }) => (
        <>
          <Table
            label={`Its latest ${many}`}
            class="list"
            items={data}
            idOf={({ id }) => id}
            columns={columns}
            none={<p class="quiet">None yet.</p>}
          />
          {data.length === 0 ? null : (
            <p>
              <a href={all}>All of its {many}</a>
            </p>
          )}
        </>
      )}
    </Loaded>
  </Card>
)

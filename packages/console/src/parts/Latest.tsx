/** The latest things that belong to another one, and the way to all of them. */
import { Card } from "./Card.tsx"
import { type Column, Table } from "./Table.tsx"

export interface LatestProps<Item> {
  /** `deliveries` */
  readonly many: string
  /** Undefined until they are loaded. */
  readonly of: ReadonlyArray<Item> | undefined
  readonly columns: ReadonlyArray<Column<Item>>
  /** The list of all of them. */
  readonly all: string
}

export const Latest = <Item extends { readonly id: string }>({
  all,
  columns,
  many,
  of
}: LatestProps<Item>) => (
  <Card title={`Last ${many}`}>
    <Table
      label={`Its latest ${many}`}
      class="list"
      items={of ?? []}
      idOf={({ id }) => id}
      columns={columns}
      none={<p class="quiet">None yet.</p>}
    />
    {of === undefined || of.length === 0 ? null : (
      <p>
        <a href={all}>All of its {many}</a>
      </p>
    )}
  </Card>
)

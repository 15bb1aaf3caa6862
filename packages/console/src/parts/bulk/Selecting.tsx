/** Rows are chosen by boxes, or all that match at once; a bar says how many, and what can be done with them. */
import { useState } from "preact/hooks"
import { useFollowed } from "../../data/Followed.ts"
import type { KeptList, PagedList } from "../../data/useList.ts"
import { countOf } from "../../format/Amounts.ts"
import { Button } from "../Button.tsx"
import type { BulkAct } from "./Bulk.ts"
import { BulkDialog } from "./BulkDialog.tsx"

const choose = <Item,>({ selected }: KeptList<Item>, ids: ReadonlyArray<string>): void => {
  selected.value = new Set(ids)
}

export const RowBox = <Item,>({ id, list }: { readonly id: string; readonly list: KeptList<Item> }) => {
  const chosen = useFollowed(list.selected)
  const isChosen = chosen.has(id)
  const next = () => (isChosen ? [...chosen].filter((each) => each !== id) : [...chosen, id])
  return <Box label="Choose this row" isChosen={isChosen} onPick={() => choose(list, next())} />
}

export const AllBox = <Item,>({ list }: { readonly list: KeptList<Item> }) => {
  const chosen = useFollowed(list.selected)
  const isAll = chosen.size > 0 && list.ids().every((id) => chosen.has(id))
  return (
    <Box
      label="Choose all rows shown"
      isChosen={isAll}
      onPick={() => choose(list, isAll ? [] : list.ids())}
    />
  )
}

interface BoxProps {
  readonly label: string
  readonly isChosen: boolean
  readonly onPick: () => void
}

const Box = ({ isChosen, label, onPick }: BoxProps) => (
  <input type="checkbox" aria-label={label} checked={isChosen} onChange={onPick} />
)

export interface SelectionBarProps<Item> {
  readonly of: PagedList<Item>
  readonly acts: ReadonlyArray<BulkAct<Item>>
  readonly one: string
  readonly many: string
}

export const SelectionBar = <Item extends object>({ acts, many, of, one }: SelectionBarProps<Item>) => {
  const { hasMore, list, looked } = of
  const chosen = useFollowed(list.selected)
  // It was said of these rows: who chooses others means those alone.
  const [all, setAll] = useState<ReadonlySet<string>>()
  const isAll = all === chosen
  const [asked, setAsked] = useState<{ readonly act: BulkAct<Item> | undefined }>()
  if (chosen.size === 0) return null
  const close = () => setAsked(undefined)
  return (
    <div class="bulk" role="group" aria-label="Chosen rows">
      <strong role="status">
        {isAll ? `All ${many} that match` : `${countOf(chosen.size, one, many)} chosen`}
      </strong>
      {hasMore && !isAll ? (
        <Button
          kind="bare"
          why={looked && "Only the rows shown are known to match."}
          onPress={() => setAll(chosen)}
        >
          All that match
        </Button>
      ) : null}
      {acts.map((act) => (
        <Button
          key={act.title}
          isChange
          kind={act.isRisk === true ? "risk" : undefined}
          onPress={() => setAsked({ act })}
        >
          {act.title}…
        </Button>
      ))}
      <Button onPress={() => setAsked({ act: undefined })}>Export…</Button>
      <Button kind="bare" onPress={() => choose(list, [])}>
        Clear
      </Button>
      {asked === undefined ? null : isAll && asked.act?.all !== undefined ? (
        asked.act.all(close)
      ) : (
        <BulkDialog list={list} act={asked.act} isAll={isAll} one={one} many={many} onClose={close} />
      )}
    </div>
  )
}

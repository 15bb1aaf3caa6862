/** A list as a table; below 50rem each row is a card. Of a long list only the rows near the viewport are rendered. */
import type { ComponentChild } from "preact"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { type KeptList, type PagedList, useKeptList } from "../data/useList.ts"
import { countOf, countWords } from "../format/Amounts.ts"
import type { BulkAct } from "./bulk/Bulk.ts"
import { AllBox, RowBox, SelectionBar } from "./bulk/Selecting.tsx"
import { SkeletonRows } from "./Skeleton.tsx"
import { ProblemNote } from "./problem/ProblemNote.tsx"
import { Moment } from "./Moment.tsx"
import { prose } from "./Prose.ts"
import { type Column, Heads } from "./Table.tsx"
import { newDrawn, Rows, wholeUpTo } from "./Rows.tsx"

export interface ListProps<Item> {
  readonly of: PagedList<Item>
  /** What the list shows, and in which order: `Deliveries, newest first`. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Item>>
  readonly none: ComponentChild
  /** `delivery`, `deliveries` */
  readonly one: string
  readonly many?: string
  /** What can be done with many rows at once. */
  readonly acts?: ReadonlyArray<BulkAct<Item>>
  /** The row whose page is shown beside the list. */
  readonly currentId?: string
}

export const List = <Item extends object>(props: ListProps<Item>) => {
  const { acts, currentId, label, many = `${props.one}s`, none, of, one } = props
  const { error, fresh, isLoading, isStale, list, rows } = of
  const { idOf } = list.source
  const place = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const [memory] = useState(() => (currentId === undefined ? list.drawn : newDrawn()))
  const [cameFrom] = useState(currentId ?? list.currentId)
  if (currentId === undefined)
    list.beside = (id) => <Beside key={label} {...props} of={list} currentId={id} />
  const isChosen = acts !== undefined && currentId === undefined
  const columns = useMemo(
    () => (isChosen ? [boxColumn(list), ...props.columns] : props.columns),
    [isChosen, list, props.columns]
  )
  useLayoutEffect(() => {
    const row = place.current?.querySelector<HTMLElement>("tr.chosen")
    if (currentId === undefined) row?.querySelector("a")?.focus({ preventScroll: true })
    else row?.scrollIntoView({ block: "nearest" })
  }, [currentId])
  if (error !== undefined && rows.length === 0)
    return <ProblemNote error={error} what={one} onRetry={list.retry} />
  if (!isLoading && !isStale && rows.length === 0 && !of.hasMore) return <>{none}</>
  const isLong = rows.length > wholeUpTo
  // New ones that were not all looked through may have none that is shown.
  const freshWords = fresh.count === 0 ? "More" : `${countWords(fresh.count)}${fresh.isMore ? "+" : ""}`
  const freshCount = `${freshWords} new ${fresh.count === 1 && !fresh.isMore ? one : many}`
  return (
    <>
      <ProblemNote error={error} what={one} onRetry={list.retry} />
      {/* A question about rows of other filters is not asked of these. */}
      {isChosen ? <SelectionBar key={list.source.key} of={of} acts={acts} one={one} many={many} /> : null}
      <div class="scroll" role="region" aria-label={label} tabIndex={0} ref={place}>
        {fresh.count === 0 && !fresh.isMore ? null : (
          <button type="button" class="fresh" onClick={list.showFresh}>
            {freshCount}: show {fresh.count === 1 ? "it" : "them"}
          </button>
        )}
        <table
          ref={table}
          class={isStale ? "list dimmed" : "list"}
          aria-busy={isStale || isLoading}
          // Not all rows of a long list are in the document; -1 says that their number is not known yet.
          aria-rowcount={isLong ? (of.hasMore ? -1 : rows.length + 1) : undefined}
        >
          <caption class="hide">{label}</caption>
          <thead>
            <tr aria-rowindex={isLong ? 1 : undefined}>
              <Heads of={columns} />
            </tr>
          </thead>
          {isLoading ? (
            <SkeletonRows columns={columns.length} />
          ) : (
            <Rows
              items={rows}
              columns={columns}
              idOf={idOf}
              currentId={currentId ?? cameFrom}
              memory={memory}
              table={table}
            />
          )}
        </table>
      </div>
      {isLoading ? null : <More of={of} one={one} many={many} />}
    </>
  )
}

const boxColumn = <Item,>(list: KeptList<Item>): Column<Item> => ({
  head: "Choose",
  headCell: <AllBox list={list} />,
  class: "box",
  cell: (item) => <RowBox list={list} id={list.source.idOf(item)} />
})

/** The list beside the page of one of its rows. */
const Beside = <Item extends object>({
  of,
  ...props
}: Omit<ListProps<Item>, "of"> & { readonly of: KeptList<Item> }) => <List {...props} of={useKeptList(of)} />

interface MoreProps<Item> extends Pick<ListProps<Item>, "of" | "one"> {
  readonly many: string
}

/** Fetches the next page when the user scrolls near it, or asks for it. */
const More = <Item,>({ many, of, one }: MoreProps<Item>) => {
  const {
    goesOn,
    hasMore,
    isLoadingMore,
    list: { lookOn, more },
    looked,
    rows
  } = of
  const isDue = hasMore && goesOn && !isLoadingMore
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const place = end.current
    if (place === null || !isDue) return undefined
    const observer = new IntersectionObserver(
      // A busy browser reports leaving and entering together: the last one counts.
      (entries) => {
        if (entries.at(-1)?.isIntersecting === true) void more()
      },
      { rootMargin: "600px" }
    )
    observer.observe(place)
    return () => observer.disconnect()
  }, [isDue, more])
  return (
    <div class="more" ref={end}>
      <span role={looked && "status"}>
        {!hasMore || looked
          ? countOf(rows.length, one, many)
          : `${countWords(rows.length)} shown. Older ones load as you scroll.`}
        {looked &&
          (hasMore
            ? prose` found. Looked through ${countWords(looked.count)}, back to ${<Moment at={looked.oldest} />}.`
            : ` found. Looked through all ${countWords(looked.count)}.`)}
      </span>
      {hasMore ? (
        <button
          type="button"
          aria-disabled={(!looked && isLoadingMore) || undefined}
          onClick={() => (looked ? lookOn(!goesOn) : void more())}
        >
          {!looked ? "Older" : goesOn ? "Stop" : "Look further"}
        </button>
      ) : null}
    </div>
  )
}

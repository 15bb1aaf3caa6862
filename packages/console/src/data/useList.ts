/** A paged list. New rows wait until the user asks for them, and it is kept as it is while the user is elsewhere. */
import type { Page } from "@runhook/sdk/admin"
import type { ComponentChild } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { type Change, type LiveKind, useLive } from "../live/Live.ts"
import { type Drawn, newDrawn } from "../parts/Rows.tsx"
import { account, endExpiredSession } from "../session/Session.ts"
import { currentEntry } from "../shell/Places.ts"
import type { Kept } from "./Kept.ts"
import { type FoundPage, type Looked, mergeRows, type Rows, withNext } from "./MergeRows.ts"
import { Followed, useFollowed } from "./Followed.ts"

export interface PageStart {
  readonly cursor?: string
  readonly limit?: number
  /** The latest `created_at`. */
  readonly to?: string
}

export interface ListSource<Item> {
  /** Where it is kept for when the user returns; what is not kept is loaded again. */
  readonly kept?: Kept<KeptList<Item>>
  /** Changes with the filters; the list then starts again from its first page. */
  readonly key: string
  readonly load: (where: PageStart, signal: AbortSignal) => Promise<FoundPage<Item>>
  readonly idOf: (item: Item) => string
  /** The kinds of change that affect its rows; without one the list is not live. */
  readonly kind?: LiveKind | ReadonlyArray<LiveKind>
  /** Fetches the current state of one row, for rows below the first page. */
  readonly one?: (id: string) => Promise<Item>
  /** The rows are found by when they were created, however many newer ones there are. */
  readonly createdAt?: (item: Item) => string
}

/** The calls of a noun, as the client has them. */
interface Calls<Item, Query> {
  readonly list: (
    filter: Query & PageStart,
    options: { readonly signal: AbortSignal }
  ) => { readonly page: () => Promise<Page<Item>> }
  readonly get?: (id: string) => Promise<Item>
}

interface State<Item> extends Rows<Item> {
  readonly isLoaded: boolean
  readonly isLoadingMore: boolean
  readonly error?: unknown
  /** How many pages are looked through before the user is asked. */
  readonly pagesLeft: number
}

/** A list without its type of rows, as the page of one of them knows it. */
export interface Neighbours {
  readonly ids: () => ReadonlyArray<string>
  readonly more: () => Promise<unknown>
  /** The row whose page was opened last. */
  currentId: string | undefined
  /** The list beside the page of one of its rows. */
  beside: ((currentId: string) => ComponentChild) | undefined
}

/** What the API lists at once, unless it is asked for another number. */
const pageSize = 50

/** Pages that are looked through at once. */
const lookedPages = 10

/** Most rows below the first page that are fetched again one by one, per second. */
const refetchedMax = 5

export class KeptList<Item> implements Neighbours {
  source: ListSource<Item>
  currentId: string | undefined
  beside: ((currentId: string) => ComponentChild) | undefined
  readonly drawn: Drawn = newDrawn()
  readonly selected: Followed<ReadonlySet<string>> = new Followed(new Set())
  readonly state: Followed<State<Item>> = new Followed({
    rows: [],
    waiting: [],
    next: null,
    isGap: false,
    isLoaded: false,
    isLoadingMore: false,
    pagesLeft: 0
  })
  #ended = new AbortController()
  /** First pages are numbered as they are asked for. */
  #asked = 0
  #shown = 0

  constructor(source: ListSource<Item>) {
    this.source = source
  }

  ids = () => this.state.value.rows.map(this.source.idOf)

  /** Shows what is kept and looks for changes, or loads it. Call the result when it is no longer shown. */
  open = (): (() => void) => {
    this.#ended = new AbortController()
    if (this.state.value.isLoaded) void this.refresh(undefined)
    else void this.reload()
    return () => this.#ended.abort()
  }

  reload = () =>
    this.#showFirst((before, { data, looked, next_cursor: next }) => ({
      ...before,
      rows: data,
      waiting: [],
      next,
      isGap: false,
      looked,
      pagesLeft: lookedPages - 1
    }))

  /** Goes on after an error: a list that was looked through where it was, others from their beginning. */
  retry = () => {
    if (this.state.value.looked === undefined) void this.reload()
    else this.#change({ error: undefined })
  }

  /** Looks through more pages, or none. */
  lookOn = (isOn: boolean) => this.#change({ pagesLeft: isOn ? lookedPages : 0 })

  /** Shows it as it is now, but takes no row away from a user who has gone further than its first page. */
  renew = () => (this.state.value.rows.length > pageSize ? this.refresh(undefined) : this.reload())

  more = async () => {
    const { isLoadingMore, next } = this.state.value
    if (next === null || isLoadingMore) return
    // The page of one of its rows may ask for more while the list itself is not shown.
    if (this.#ended.signal.aborted) this.#ended = new AbortController()
    this.#change({ isLoadingMore: true })
    await this.#show(this.source.load({ cursor: next }, this.#ended.signal), (before, page) =>
      // It may have been loaded from its beginning meanwhile.
      before.next === next
        ? { ...before, ...withNext(before, page), pagesLeft: before.pagesLeft - 1 }
        : before
    )
    this.#change({ isLoadingMore: false })
  }

  refresh = async (changes: ReadonlyArray<Change> | undefined) => {
    const { createdAt, idOf, load, one } = this.source
    // A load in progress may have read the rows before the change.
    if (!this.state.value.isLoaded) return false
    const fetched = new Set<string>()
    const hasCome = await this.#showFirst((before, page) => {
      for (const item of page.data) fetched.add(idOf(item))
      return { ...before, ...mergeRows(before, page, idOf) }
    })
    if (!hasCome) return false
    const { rows } = this.state.value
    const changed = changes && new Set(changes.map(({ id }) => id))
    const isMissed = (row: Item) => !fetched.has(idOf(row)) && changed?.has(idOf(row)) !== false
    const [first] = rows
    // Newer rows, which wait, have pushed these off the first page.
    if (createdAt !== undefined && first !== undefined && rows.slice(0, pageSize).some(isMissed))
      await this.#show(load({ to: createdAt(first) }, this.#ended.signal), (before, page) => {
        for (const item of page.data) fetched.add(idOf(item))
        return { ...before, rows: mergeRows(before, page, idOf).rows }
      })
    if (one === undefined || changed === undefined) return true
    const below = rows.map(idOf).filter((id) => changed.has(id) && !fetched.has(id))
    for (const id of below.slice(0, refetchedMax))
      await this.#show(one(id), (before, item) => this.#withReplaced(before, item))
    return true
  }

  showFresh = () => {
    const { isGap, rows, waiting } = this.state.value
    // Rows in between were not fetched, so the list must be loaded from its beginning.
    if (isGap) void this.reload()
    else this.#change({ rows: [...waiting, ...rows], waiting: [] })
  }

  /** Shows a row as it is after an action. */
  replace = (item: Item) => {
    this.state.value = this.#withReplaced(this.state.value, item)
  }

  #change(change: Partial<State<Item>>) {
    this.state.value = { ...this.state.value, ...change }
  }

  #withReplaced(before: State<Item>, item: Item): State<Item> {
    const { idOf } = this.source
    return { ...before, rows: before.rows.map((row) => (idOf(row) === idOf(item) ? item : row)) }
  }

  /** Shows the first page, unless one that was asked for later is shown. */
  #showFirst(put: (before: State<Item>, page: FoundPage<Item>) => State<Item>): Promise<boolean> {
    const mine = ++this.#asked
    return this.#show(this.source.load({}, this.#ended.signal), (before, page) => {
      if (mine < this.#shown) return before
      this.#shown = mine
      return put(before, page)
    })
  }

  /** Shows the answer, unless nobody looks any more. False if the call failed. */
  async #show<A>(answer: Promise<A>, put: (before: State<Item>, answer: A) => State<Item>): Promise<boolean> {
    const { signal: ended } = this.#ended
    try {
      const came = await answer
      if (!ended.aborted)
        this.state.value = { ...put(this.state.value, came), isLoaded: true, error: undefined }
    } catch (error) {
      if (ended.aborted) return true
      endExpiredSession(error)
      this.#change({ error })
      return false
    }
    return true
  }
}

export interface PagedList<Item> {
  readonly list: KeptList<Item>
  readonly rows: ReadonlyArray<Item>
  readonly error: unknown
  /** There is nothing to show yet. */
  readonly isLoading: boolean
  /** The rows shown belong to the previous filters. */
  readonly isStale: boolean
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly looked: Looked | undefined
  /** Whether more is loaded without being asked for. */
  readonly goesOn: boolean
  /** Rows that are new since, and whether there are more of them than were fetched. */
  readonly fresh: { readonly count: number; readonly isMore: boolean }
  readonly reload: () => Promise<unknown>
}

/** The lists that were shown last, the latest first. */
let lately: ReadonlyArray<Neighbours> = []

const latelyMax = 6

/** The list from which the user came to the page of one of its rows. */
export const listWith = (id: string): Neighbours | undefined => lately.find((list) => list.ids().includes(id))

export const useList = <Item>(source: ListSource<Item>): PagedList<Item> => {
  const list = useMemo(() => {
    const key = `${currentEntry()} ${source.key}`
    const found = source.kept?.get(key) ?? new KeptList(source)
    source.kept?.set(key, found)
    return found
  }, [source.key])
  list.source = source
  useEffect(() => {
    lately = [list, ...lately.filter((each) => each !== list)].slice(0, latelyMax)
  }, [list])
  return useKeptList(list)
}

/**
 * The list of a noun of the account.
 *
 * ```ts
 * const list = useRows(account.value.tasks, { kept, kind: "task" })
 * ```
 */
export const useRows = <Item extends { readonly id: string }, Query extends object = object>(
  { get, list }: Calls<Item, Query>,
  { query, ...source }: Pick<ListSource<Item>, "createdAt" | "kept" | "kind"> & { readonly query?: Query }
): PagedList<Item> =>
  useList<Item>({
    ...source,
    key: JSON.stringify([account.value.id, query]),
    load: (where, signal) => list(Object.assign({}, query, where), { signal }).page(),
    idOf: ({ id }) => id,
    ...(get && { one: (id: string) => get(id) })
  })

/** Shows a list, and keeps it live. */
export const useKeptList = <Item>(list: KeptList<Item>): PagedList<Item> => {
  useEffect(list.open, [list])
  useLive(list.source.kind, list.refresh)
  const before = useRef(list)
  const own = useFollowed(list.state)
  const isReady = own.isLoaded || own.error !== undefined
  if (isReady) before.current = list
  const { error, isGap, isLoaded, isLoadingMore, looked, next, pagesLeft, rows, waiting } =
    before.current.state.value
  return {
    list: before.current,
    rows,
    error,
    isLoading: !isLoaded && error === undefined,
    isStale: before.current !== list,
    hasMore: next !== null && before.current === list,
    isLoadingMore,
    looked,
    goesOn: error === undefined && (looked === undefined || pagesLeft > 0),
    fresh: { count: waiting.length, isMore: isGap },
    reload: list.reload
  }
}

/** A paged list. New rows wait until the user asks for them. */
import type { Page } from "@runhook/sdk/admin"
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { type Change, type LiveKind, useLive } from "../live/Live.ts"
import { endExpiredSession } from "../parts/problem/SessionExpiry.ts"
import { mergeRows, type Rows } from "./MergeRows.ts"

export interface PageStart {
  readonly cursor?: string
}

export interface ListSource<Item> {
  /** Changes with the filters; the list then starts again from its first page. */
  readonly key: string
  readonly load: (where: PageStart, signal: AbortSignal) => Promise<Page<Item>>
  readonly idOf: (item: Item) => string
  /** The kind of change that affects its rows; without one the list is not live. */
  readonly kind?: LiveKind
  /** Fetches the current state of one row, for rows below the first page. */
  readonly one?: (id: string) => Promise<Item>
}

export interface PagedList<Item> {
  readonly rows: ReadonlyArray<Item>
  readonly idOf: (item: Item) => string
  readonly error: unknown
  /** There is nothing to show yet. */
  readonly isLoading: boolean
  /** The rows shown belong to the previous filters. */
  readonly isStale: boolean
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly more: () => void
  /** Rows that are new since, and whether there are more of them than were fetched. */
  readonly fresh: { readonly count: number; readonly isMore: boolean }
  readonly showFresh: () => void
  readonly reload: () => void
  /** Shows a row as it is after an action. */
  readonly replace: (item: Item) => void
}

interface State<Item> extends Rows<Item> {
  readonly key: string | undefined
  readonly error?: unknown
}

/** Most rows below the first page that are fetched again one by one, per second. */
const refetchedMax = 5

export const useList = <Item>(source: ListSource<Item>): PagedList<Item> => {
  const [state, setState] = useState<State<Item>>({
    key: undefined,
    rows: [],
    waiting: [],
    next: null,
    isGap: false
  })
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [round, setRound] = useState(0)
  const latest = useRef(source)
  latest.current = source
  const shown = useRef(state)
  shown.current = state
  const ended = useRef(new AbortController())

  /** Shows the answer, unless the list has moved on to something else. False if the call failed. */
  const show = useCallback(
    async <A>(
      answer: Promise<A>,
      signal: AbortSignal,
      put: (before: State<Item>, answer: A) => State<Item>
    ) => {
      try {
        const came = await answer
        if (!signal.aborted) setState((before) => put(before, came))
        return true
      } catch (error) {
        if (signal.aborted) return true
        endExpiredSession(error)
        setState((before) => ({ ...before, key: latest.current.key, error }))
        return false
      }
    },
    []
  )

  useEffect(() => {
    ended.current = new AbortController()
    const { signal } = ended.current
    const { key } = source
    void show(source.load({}, signal), signal, (_, { data, next_cursor: next }) => ({
      key,
      rows: data,
      waiting: [],
      next,
      isGap: false
    }))
    return () => ended.current.abort()
  }, [source.key, round])

  const more = useCallback(() => {
    const { key, next } = shown.current
    const { signal } = ended.current
    if (next === null || key !== latest.current.key) return
    setLoadingMore(true)
    const page = latest.current.load({ cursor: next }, signal).finally(() => setLoadingMore(false))
    void show(page, signal, (before, { data, next_cursor }) => ({
      ...before,
      error: undefined,
      rows: [...before.rows, ...data],
      next: next_cursor
    }))
  }, [])

  const refresh = useCallback(async (changes: ReadonlyArray<Change> | undefined) => {
    const { idOf, key, load, one } = latest.current
    // A load in progress may have read the rows before the change.
    if (shown.current.key !== key) return false
    const { signal } = ended.current
    const hasCome = await show(load({}, signal), signal, (before, page) => ({
      key,
      ...mergeRows(before, page, idOf)
    }))
    if (!hasCome || one === undefined || changes === undefined) return hasCome
    const below = new Set(shown.current.rows.slice(50).map(idOf))
    const ids = [...new Set(changes.map(({ id }) => id))].filter((id) => below.has(id)).slice(0, refetchedMax)
    for (const id of ids) await show(one(id), signal, (before, item) => withReplaced(before, item, idOf))
    return true
  }, [])

  useLive(source.kind, refresh)

  return {
    rows: state.rows,
    idOf: source.idOf,
    error: state.error,
    isLoading: state.key === undefined,
    isStale: state.key !== undefined && state.key !== source.key,
    hasMore: state.next !== null && state.key === source.key,
    isLoadingMore,
    more,
    fresh: { count: state.waiting.length, isMore: state.isGap },
    showFresh: useCallback(() => {
      // Rows in between were not fetched, so the list must be loaded from its beginning.
      if (shown.current.isGap) setRound((before) => before + 1)
      else setState((before) => ({ ...before, rows: [...before.waiting, ...before.rows], waiting: [] }))
    }, []),
    reload: useCallback(() => setRound((before) => before + 1), []),
    replace: useCallback(
      (item: Item) => setState((before) => withReplaced(before, item, latest.current.idOf)),
      []
    )
  }
}

const withReplaced = <Item>(state: State<Item>, item: Item, idOf: (item: Item) => string): State<Item> => ({
  ...state,
  rows: state.rows.map((row) => (idOf(row) === idOf(item) ? item : row))
})

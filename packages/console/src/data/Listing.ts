/** A list as it is read: page after page, with what is new waiting until somebody asks for it. */
import type { Page } from "@runhook/sdk/admin"
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { type Change, type LiveKind, useLive } from "../live/Live.ts"
import { noticed } from "../parts/problem/Noticed.ts"
import { merged, type Rows } from "./Merging.ts"

export interface Where {
  readonly cursor?: string
}

export interface ListSource<Item> {
  /** Changes with the filters: then the list begins anew. */
  readonly key: string
  readonly load: (where: Where, signal: AbortSignal) => Promise<Page<Item>>
  readonly idOf: (item: Item) => string
  /** What kind of change concerns its rows; without one the list is not live. */
  readonly kind?: LiveKind
  /** One of its rows as it is now, for those further down than the first page. */
  readonly one?: (id: string) => Promise<Item>
}

export interface Listed<Item> {
  readonly rows: ReadonlyArray<Item>
  readonly idOf: (item: Item) => string
  readonly error: unknown
  /** Nothing is there to show yet. */
  readonly isLoading: boolean
  /** What is shown is of the filters before. */
  readonly isStale: boolean
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly more: () => void
  /** Rows that came since, and whether there are more of them than were fetched. */
  readonly fresh: { readonly count: number; readonly isMore: boolean }
  readonly showFresh: () => void
  readonly reload: () => void
  /** Shows a row as an action left it. */
  readonly replace: (item: Item) => void
}

interface State<Item> extends Rows<Item> {
  readonly key: string | undefined
  readonly error?: unknown
}

/** Rows below the first page that are looked at one by one, at most so many a second. */
const onesMax = 5

export const useList = <Item>(source: ListSource<Item>): Listed<Item> => {
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

  /** Shows what comes, unless the list has gone on to something else meanwhile. False when nothing came. */
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
        noticed(error)
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
    // What is still being loaded may have been read before the change.
    if (shown.current.key !== key) return false
    const { signal } = ended.current
    const hasCome = await show(load({}, signal), signal, (before, page) => ({
      key,
      ...merged(before, page, idOf)
    }))
    if (!hasCome || one === undefined || changes === undefined) return hasCome
    const below = new Set(shown.current.rows.slice(50).map(idOf))
    const ids = [...new Set(changes.map(({ id }) => id))].filter((id) => below.has(id)).slice(0, onesMax)
    for (const id of ids) await show(one(id), signal, (before, item) => replaced(before, item, idOf))
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
      // With a gap between, only the list from its beginning is true.
      if (shown.current.isGap) setRound((before) => before + 1)
      else setState((before) => ({ ...before, rows: [...before.waiting, ...before.rows], waiting: [] }))
    }, []),
    reload: useCallback(() => setRound((before) => before + 1), []),
    replace: useCallback(
      (item: Item) => setState((before) => replaced(before, item, latest.current.idOf)),
      []
    )
  }
}

const replaced = <Item>(state: State<Item>, item: Item, idOf: (item: Item) => string): State<Item> => ({
  ...state,
  rows: state.rows.map((row) => (idOf(row) === idOf(item) ? item : row))
})

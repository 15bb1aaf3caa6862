/** Loads something for a view, and again when asked. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { noticed } from "../parts/problem/Noticed.ts"

export interface Loaded<A> {
  /** What came last, also while it is loaded again or when that failed. */
  readonly data: A | undefined
  readonly error: unknown
  /** Until the first answer. */
  readonly isLoading: boolean
  readonly reload: () => void
  /** Shows something else at once, as the answer of a change. */
  readonly set: (data: A) => void
}

/**
 * Loads when the view opens and whenever the key changes; what comes late for
 * a key before is thrown away. `load` gets a signal that ends with the view.
 *
 * ```ts
 * const { data, error, reload } = useLoad(`delivery ${id}`, (signal) => account.value.deliveries.get(id, { signal }))
 * ```
 */
export const useLoad = <A>(key: string, load: (signal: AbortSignal) => Promise<A>): Loaded<A> => {
  const [state, setState] = useState<{ readonly key: string; readonly data?: A; readonly error?: unknown }>({
    key
  })
  const latest = useRef(load)
  latest.current = load
  const [round, setRound] = useState(0)

  useEffect(() => {
    const ended = new AbortController()
    latest
      .current(ended.signal)
      .then((data) => {
        if (!ended.signal.aborted) setState({ key, data })
      })
      .catch((error: unknown) => {
        if (ended.signal.aborted) return
        noticed(error)
        setState((before) => ({ ...(before.key === key ? before : {}), key, error }))
      })
    return () => ended.abort()
  }, [key, round])

  const reload = useCallback(() => setRound((before) => before + 1), [])
  const set = useCallback((data: A) => setState({ key, data }), [key])
  const current = state.key === key ? state : undefined
  return {
    data: current?.data,
    error: current?.error,
    isLoading: current?.data === undefined && current?.error === undefined,
    reload,
    set
  }
}

/** Loads data for a view, and reloads it on request. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import type { Kept } from "./Kept.ts"
import { useLive } from "../live/Live.ts"
import { endExpiredSession } from "../session/Session.ts"

export interface Resource<A> {
  /** The latest data, kept during a reload and when that fails. */
  readonly data: A | undefined
  readonly error: unknown
  /** Until the first answer. */
  readonly isLoading: boolean
  readonly reload: () => void
  /** Shows other data at once, such as the answer of a change. */
  readonly set: (data: A) => void
}

/**
 * Loads when the view opens and whenever the key changes; late answers for an
 * earlier key are dropped. `load` gets a signal that is aborted with the view.
 * What is `kept` is shown at once to a user who returns, until the answer comes.
 *
 * ```ts
 * const { data, error, reload } = useLoad(`delivery ${id}`, (signal) => account.value.deliveries.get(id, { signal }))
 * ```
 */
export const useLoad = <A>(
  key: string,
  load: (signal: AbortSignal) => Promise<A>,
  kept?: Kept<A>
): Resource<A> => {
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
        if (ended.signal.aborted) return
        kept?.set(key, data)
        setState({ key, data })
      })
      .catch((error: unknown) => {
        if (ended.signal.aborted) return
        endExpiredSession(error)
        setState((before) => ({ ...(before.key === key ? before : {}), key, error }))
      })
    return () => ended.abort()
  }, [key, round])

  const reload = useCallback(() => setRound((before) => before + 1), [])
  const set = useCallback((data: A) => setState({ key, data }), [key])
  const current = state.key === key ? state : undefined
  // What failed while there was no connection is loaded when that is back, whatever its view listens to.
  useLive(current?.error === undefined ? undefined : "task", reload)
  const isAsked = current?.data === undefined && current?.error === undefined
  const data = isAsked ? kept?.get(key) : current?.data
  return {
    data,
    error: current?.error,
    isLoading: data === undefined && current?.error === undefined,
    reload,
    set
  }
}

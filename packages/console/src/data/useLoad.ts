/** Loads data for a view, and reloads it on request. */
import { useEffect, useRef, useState } from "preact/hooks"
import type { Kept } from "./Kept.ts"
import { useLive } from "../live/Live.ts"
import { endExpiredSession, membership } from "../session/Session.ts"

export interface Resource<A> {
  /** The latest data, kept during a reload and when that fails. */
  readonly data: A | undefined
  readonly error: unknown
  /** Until the first answer. */
  readonly isLoading: boolean
  /** Ends with the answer, or when it is not waited for any more. */
  readonly reload: () => Promise<void>
  /** Shows other data at once, such as the answer of a change. */
  readonly set: (data: A) => void
}

interface Answered<A> {
  readonly data?: A | undefined
  readonly error?: unknown
}

/**
 * Loads when the view opens and whenever the name or the account changes; late answers
 * for what was before are dropped. `load` gets a signal that is aborted with the view.
 * What is `kept` is shown at once to a user who returns, until the answer comes.
 *
 * ```ts
 * const { data, error, reload } = useLoad(`delivery ${id}`, (signal) => account.value.deliveries.get(id, { signal }))
 * ```
 */
export const useLoad = <A>(
  name: string,
  load: (signal: AbortSignal) => Promise<A>,
  kept?: Kept<A>
): Resource<A> => {
  const key = `${membership.value?.id} ${name}`
  const [state, setState] = useState<Answered<A> & { readonly key: string }>({ key: "" })
  const latest = useRef({ key, load })
  latest.current = { key, load }
  const ended = useRef(new AbortController())

  const reload = async () => {
    ended.current.abort()
    ended.current = new AbortController()
    const { signal } = ended.current
    const asked = latest.current
    try {
      const data = await asked.load(signal)
      if (signal.aborted) return
      kept?.set(asked.key, data)
      setState({ key: asked.key, data })
    } catch (error) {
      if (signal.aborted) return
      endExpiredSession(error)
      setState((before) => ({ ...(before.key === asked.key ? before : {}), key: asked.key, error }))
    }
  }
  useEffect(() => {
    void reload()
    return () => ended.current.abort()
  }, [key])

  /** Loads again, since an answer that is on its way, or this one, may be older than another change. */
  const set = (data: A) => {
    if (latest.current.key === key) setState({ key, data })
    void reload()
  }
  const { data, error }: Answered<A> = state.key === key ? state : { data: kept?.get(key) }
  // What failed while there was no connection is loaded when that is back, whatever its view listens to.
  useLive(error === undefined ? undefined : "task", reload)
  return { data, error, isLoading: data === undefined && error === undefined, reload, set }
}

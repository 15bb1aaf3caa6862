/** Runs a button's action, one at a time, and reports the result where it was started. */
import { useEffect, useRef, useState } from "preact/hooks"
import { endExpiredSession } from "../session/Session.ts"
import { type Problem, problemOf } from "../parts/problem/Problem.ts"

export interface Action<Given extends ReadonlyArray<unknown>, A> {
  readonly run: (...given: Given) => void
  readonly isRunning: boolean
  /** The result of the last run; undefined until it ends, and once the next run begins. */
  readonly done: A | undefined
  readonly problem: Problem | undefined
  /** The error of a field, by the field's name in the API. */
  readonly wrong: (field: string) => string | undefined
  readonly reset: () => void
}

export const useAction = <Given extends ReadonlyArray<unknown>, A>(
  act: (...given: Given) => Promise<A>,
  whenDone?: (done: A) => void
): Action<Given, A> => {
  const [isRunning, setRunning] = useState(false)
  const [done, setDone] = useState<A>()
  const [problem, setProblem] = useState<Problem>()
  const latest = useRef({ act, whenDone })
  latest.current = { act, whenDone }
  const isBusy = useRef(false)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  const reset = () => {
    setDone(undefined)
    setProblem(undefined)
  }

  const run = (...given: Given) => {
    if (isBusy.current) return
    isBusy.current = true
    setRunning(true)
    reset()
    const end = () => {
      isBusy.current = false
      if (!isGone.current) setRunning(false)
    }
    latest.current
      .act(...given)
      .then((result) => {
        end()
        if (isGone.current) return
        setDone(() => result)
        latest.current.whenDone?.(result)
      })
      .catch((error: unknown) => {
        end()
        endExpiredSession(error)
        if (!isGone.current) setProblem(problemOf(error))
      })
  }

  const wrong = (field: string) => {
    const said = problem?.fields[field]
    if (said !== undefined) problem?.said.add(field)
    return said
  }
  return { run, isRunning, done, problem, wrong, reset }
}

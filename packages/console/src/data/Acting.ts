/** Does what a button asks for: once at a time, and says where it was asked what became of it. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { noticed } from "../parts/problem/Noticed.ts"
import { type Problem, problemOf } from "../parts/problem/Problem.ts"

export interface Acting<Given extends ReadonlyArray<unknown>, A> {
  readonly run: (...given: Given) => void
  readonly isRunning: boolean
  /** What it came to; undefined until then, and from the next run on. */
  readonly done: A | undefined
  readonly problem: Problem | undefined
  /** What is wrong with a field, by its name as the API has it. */
  readonly wrong: (field: string) => string | undefined
  readonly reset: () => void
}

export const useAction = <Given extends ReadonlyArray<unknown>, A>(
  act: (...given: Given) => Promise<A>,
  whenDone?: (done: A) => void
): Acting<Given, A> => {
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

  const reset = useCallback(() => {
    setDone(undefined)
    setProblem(undefined)
  }, [])

  const run = useCallback((...given: Given) => {
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
        noticed(error)
        if (!isGone.current) setProblem(problemOf(error))
      })
  }, [])

  return { run, isRunning, done, problem, wrong: (field) => problem?.fields[field], reset }
}

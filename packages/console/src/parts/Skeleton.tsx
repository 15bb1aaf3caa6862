/** A placeholder during a load: nothing at first, the shape of the content if it takes longer. */
import { useEffect, useState } from "preact/hooks"
import { after } from "../time/Clock.ts"
import type { ComponentChildren } from "preact"
import type { Resource } from "../data/useLoad.ts"
import { ProblemNote } from "./problem/ProblemNote.tsx"

/** Most answers arrive sooner, and a flicker is worse than nothing. In milliseconds. */
const hiddenMs = 300

const useIsLate = (): boolean => {
  const [isLate, setLate] = useState(false)
  useEffect(() => after(hiddenMs, () => setLate(true)), [])
  return isLate
}

export const Skeleton = ({ lines = 5 }: { readonly lines?: number | undefined }) => {
  const isLate = useIsLate()
  return (
    <div class="card bones" aria-busy="true" hidden={!isLate}>
      <span class="hide" role="status">
        {isLate ? "Loading" : ""}
      </span>
      {Array.from({ length: lines }, (_, line) => (
        <span class="bone" key={line} />
      ))}
    </div>
  )
}

/** The same as rows of a table. */
export const SkeletonRows = ({ columns }: { readonly columns: number }) => {
  const isLate = useIsLate()
  return (
    <tbody aria-busy="true" hidden={!isLate}>
      {Array.from({ length: 5 }, (_, row) => (
        <tr key={row}>
          {Array.from({ length: columns }, (__, column) => (
            <td key={column}>
              <span class="bone" />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

export interface LoadedProps<A> {
  readonly of: Pick<Resource<A>, "data" | "error" | "reload">
  /** What it is: `list of receivers` */
  readonly what: string
  /** The list to go to if it does not exist. */
  readonly all?: { readonly href: string; readonly words: string }
  readonly lines?: number
  readonly children: (data: A) => ComponentChildren
}

/** What was loaded; its shape until then; and on top, why it could not be. */
export const Loaded = <A,>({ all, children, lines, of: { data, error, reload }, what }: LoadedProps<A>) => (
  <>
    <ProblemNote error={error} what={what} all={all} onRetry={reload} />
    {data !== undefined ? children(data) : error === undefined ? <Skeleton lines={lines} /> : null}
  </>
)

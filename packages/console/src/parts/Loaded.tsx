/** What was loaded; its shape until then; and on top, why it could not be. */
import type { ComponentChildren } from "preact"
import type { Resource } from "../data/useLoad.ts"
import { ProblemNote } from "./problem/ProblemNote.tsx"
import { Skeleton } from "./Skeleton.tsx"

export interface LoadedProps<A> {
  readonly of: Pick<Resource<A>, "data" | "error" | "reload">
  /** What it is: `list of receivers` */
  readonly what: string
  /** The list to go to if it does not exist. */
  readonly all?: { readonly href: string; readonly words: string }
  /** Of the shape. */
  readonly lines?: number
  readonly children: (data: A) => ComponentChildren
}

export const Loaded = <A,>({ all, children, lines, of: { data, error, reload }, what }: LoadedProps<A>) => (
  <>
    {error === undefined ? null : <ProblemNote error={error} what={what} all={all} onRetry={reload} />}
    {data !== undefined ? children(data) : error === undefined ? <Skeleton lines={lines} /> : null}
  </>
)

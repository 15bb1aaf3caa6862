/** A job of the service: its numbers, its progress bar, and the button that stops it. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { useAction } from "../data/useAction.ts"
import { Button } from "./Button.tsx"
import { Outcome } from "./problem/ProblemNote.tsx"

export interface JobCardProps<Job> {
  readonly title: ComponentChildren
  /** What it has done so far. */
  readonly children: ComponentChildren
  /** Null while the total is unknown. */
  readonly progress: { readonly done: number; readonly total: number | null; readonly isUnderWay: boolean }
  /** Undefined once it cannot be stopped. */
  readonly stop: (() => Promise<Job>) | undefined
  readonly onChange: (job: Job) => void
}

export const JobCard = <Job,>({ children, onChange, progress, stop, title }: JobCardProps<Job>) => {
  const id = useId()
  const { done, isUnderWay, total } = progress
  const stopping = useAction(
    async () => stop?.(),
    (job) => job && onChange(job)
  )
  return (
    <section class="card stack" aria-labelledby={id}>
      <div class="job">
        <h2 id={id}>{title}</h2>
        {stop === undefined ? null : (
          <Button isChange action={stopping}>
            Stop
          </Button>
        )}
      </div>
      <p class="num quiet">{children}</p>
      {isUnderWay ? (
        <progress aria-labelledby={id} max={total ?? undefined} value={total === null ? undefined : done} />
      ) : null}
      <Outcome problem={stopping.problem} />
    </section>
  )
}

/** One replay: its numbers, its progress bar, and the button that stops it. */
import type { ReplayJob } from "@runhook/sdk/admin"
import { useId } from "preact/hooks"
import { useAction } from "../../data/Data.ts"
import { Button, Moment, Outcome } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { pathOf } from "../../shell/Shell.ts"
import { now } from "../../time/Clock.ts"
import { JobScope } from "./JobScope.tsx"
import { jobWords, progressOf, progressWords } from "./Progress.ts"

export interface JobCardProps {
  readonly job: ReplayJob
  readonly onChange: (job: ReplayJob) => void
  /** Whether this is the job's own page, which needs no link to itself. */
  readonly isOwnPage?: boolean
}

export const JobCard = ({ isOwnPage = false, job, onChange }: JobCardProps) => {
  const id = useId()
  const stop = useAction(() => account.value.replays.cancel(job.id), onChange)
  const { done, isUnderWay, total } = progressOf(job)
  return (
    <section class="card stack" aria-labelledby={id}>
      <div class="job">
        <h2 id={id}>
          {jobWords(job)}: <JobScope filter={job.filter} />
        </h2>
        {job.status === "running" ? (
          <Button isChange isRunning={stop.isRunning} onPress={stop.run}>
            Stop
          </Button>
        ) : null}
      </div>
      <p class="num quiet">
        {progressWords(job, now())}
        {isOwnPage ? null : (
          <>
            {" · "}
            <a href={pathOf`/replays/${job.id}`}>
              Begun <Moment at={job.created_at} />
            </a>
          </>
        )}
      </p>
      {isUnderWay ? (
        <progress
          aria-label="Replay progress"
          max={total ?? undefined}
          value={total === null ? undefined : done}
        />
      ) : null}
      {stop.problem === undefined ? null : <Outcome problem={stop.problem} />}
    </section>
  )
}

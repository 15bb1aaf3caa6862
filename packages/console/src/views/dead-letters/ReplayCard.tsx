/** One replay: its numbers, its progress, and the button that stops it. */
import type { ReplayJob } from "@runhook/sdk/admin"
import { JobCard, Moment, prose } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { pathOf } from "../../shell/Shell.ts"
import { now } from "../../time/Clock.ts"
import { JobScope } from "./JobScope.tsx"
import { jobWords, progressOf, progressWords } from "./Progress.ts"

export interface ReplayCardProps {
  readonly job: ReplayJob
  readonly onChange: (job: ReplayJob) => void
  /** Whether this is the job's own page, which needs no link to itself. */
  readonly isOwnPage?: boolean
}

export const ReplayCard = ({ isOwnPage = false, job, onChange }: ReplayCardProps) => (
  <JobCard
    title={prose`${jobWords(job)}: ${<JobScope filter={job.filter} />}`}
    progress={progressOf(job)}
    stop={job.status === "running" ? () => account.value.replays.cancel(job.id) : undefined}
    onChange={onChange}
  >
    {progressWords(job, now())}
    {isOwnPage ? null : (
      <>
        {" · "}
        <a href={pathOf`/replays/${job.id}`}>
          Begun <Moment at={job.created_at} />
        </a>
      </>
    )}
  </JobCard>
)

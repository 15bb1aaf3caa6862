/** One replay: its numbers, its progress, and the button that stops it. */
import type { ReplayFilter, ReplayJob } from "@runhook/sdk/admin"
import { JobCard, Moment, prose, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { pathOf } from "../../shell/Shell.ts"
import { now } from "../../time/Clock.ts"
import { jobWords, progressOf, progressWords } from "./Progress.ts"
import { countOf } from "../../format/Amounts.ts"
import { urlWords } from "../../format/Ids.ts"
import { causeWords } from "../deliveries/CauseWords.ts"

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

/** `dead letters`, `dead and delivered deliveries` */
export const statesWords = (states: ReadonlyArray<string>): string =>
  states.every((state) => state === "dead") ? "dead letters" : `${states.join(" and ")} deliveries`

/** The scope of a replay, in one line. */
export const JobScope = ({ filter }: { readonly filter: ReplayFilter }) => {
  const { cause, ids, last_only, status, url_origin } = filter
  const what = ids === null ? statesWords(status) : countOf(ids.length, "delivery", "deliveries")
  return (
    <>
      {url_origin === null
        ? `${what} of all receivers`
        : prose`${what} to ${<UntrustedText text={urlWords(url_origin)} isBrief />}`}
      {cause === null ? "" : `, ${causeWords(cause)}`}
      {last_only ? ", only last events" : ""}
    </>
  )
}

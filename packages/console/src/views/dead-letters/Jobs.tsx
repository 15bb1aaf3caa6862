/** Current and past replays, newest first. */
import type { ReplayJob } from "@runhook/sdk/admin"
import type { PagedList } from "../../data/Data.ts"
import { type Column, List, Moment, Status } from "../../parts/Parts.ts"
import { pathOf } from "../../shell/Shell.ts"
import { JobScope } from "./JobScope.tsx"
import { jobWords, progressOf } from "./Progress.ts"

const signOf = (job: ReplayJob): string => {
  if (progressOf(job).isUnderWay) return "running"
  if (job.status === "cancelled") return "cancelled"
  return job.failed > 0 ? "failed" : "completed"
}

const columns: ReadonlyArray<Column<ReplayJob>> = [
  { head: "Status", cell: (job) => <Status of={signOf(job)} word={jobWords(job)} /> },
  {
    head: "Replay",
    isRowHead: true,
    cell: (job) => (
      <a href={pathOf`/replays/${job.id}`}>
        <JobScope filter={job.filter} />
      </a>
    )
  },
  { head: "Due again", class: "end num p3", cell: ({ replayed }) => replayed },
  { head: "Delivered", class: "end num p2", cell: ({ delivered }) => delivered },
  { head: "Failed", class: "end num p2", cell: ({ failed }) => failed },
  { head: "Begun", class: "end", cell: (job) => <Moment at={job.created_at} /> }
]

export const Jobs = ({ of }: { readonly of: PagedList<ReplayJob> }) => (
  <List
    of={of}
    one="replay"
    label="Replays, newest first"
    none={<p class="quiet">None in the last 30 days.</p>}
    columns={columns}
  />
)

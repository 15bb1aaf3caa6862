/** One cancel of many executions: its progress, its result, its scope. */
import type { AdminCancelJob } from "@runhook/sdk/admin"
import { Kept, useLive, useLoad } from "../../data/Data.ts"
import { FactsCard, JobCard, Moment, ThingLink, UntrustedText, WholeId } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { Detail, pathTo } from "../../shell/Shell.ts"
import { useEvery } from "../../time/useEvery.ts"
import { cancelProgress, cancelTitle, cancelWords } from "./Cancelled.ts"
import { filtersOf, statusWords } from "./ExecutionFilters.ts"

const kept = new Kept<AdminCancelJob>()

/** A job that finds nothing to cancel changes no execution of which the page would hear. In milliseconds. */
const everyMs = 2_000

export const Cancel = ({ id }: { readonly id: string }) => {
  const { jobs } = account.value.executions
  const loaded = useLoad(`cancel ${id}`, (signal) => jobs.get(id, { signal }), kept)
  const { data, reload, set } = loaded
  const isRunning = data?.finished_at === null
  useLive(isRunning ? "execution" : undefined, reload)
  useEvery(everyMs, () => isRunning && reload())
  return (
    <Detail id={id} of={loaded} what="cancel" head={headOf}>
      {(job) => (
        <div class="stack">
          <JobCard
            title={cancelTitle(job)}
            progress={cancelProgress(job)}
            stop={isRunning ? () => jobs.cancel(id) : undefined}
            onChange={set}
          >
            {cancelWords(job)}
          </JobCard>
          <Asked of={job} />
        </div>
      )}
    </Detail>
  )
}

const headOf = () => ({
  title: "Cancel of many executions",
  children: "It goes on when this page is closed, and stays here for 30 days."
})

const Asked = ({
  of: { created_at, filter, finished_at, job_id, reason }
}: {
  readonly of: AdminCancelJob
}) => (
  <FactsCard
    title="What was asked for"
    of={{
      Status: statusWords(filter),
      Task: filter.task_id && <ThingLink of="tasks" id={filter.task_id} />,
      Agent: filter.agent_id && <ThingLink of="agents" id={filter.agent_id} />,
      Schedule: filter.schedule_id && <ThingLink of="schedules" id={filter.schedule_id} />,
      Reference: filter.reference && <UntrustedText text={filter.reference} />,
      "Begins with": filter.find && <UntrustedText text={filter.find} />,
      From: filter.from && <Moment at={filter.from} isExact />,
      To: filter.to && <Moment at={filter.to} isExact />,
      Reason: reason && <UntrustedText text={reason} />,
      Begun: <Moment at={created_at} isExact />,
      Ended: finished_at && <Moment at={finished_at} isExact />,
      Id: <WholeId of={job_id} />
    }}
  >
    <p>
      <a href={pathTo("/executions", filtersOf(filter))}>The executions that match now</a>
    </p>
  </FactsCard>
)

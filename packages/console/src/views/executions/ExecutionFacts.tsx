/** The facts of an execution. */
import { FactsCard, Moment, prose, ThingLink, UntrustedText, WholeId } from "../../parts/Parts.ts"
import type { AdminExecutionDetail } from "@runhook/sdk/admin"
import type { VNode } from "preact"
import { latestChange } from "../../data/LatestChange.ts"
import { useLoad } from "../../data/Data.ts"
import { durationWords } from "../../format/Amounts.ts"
import { urlWords } from "../../format/Ids.ts"

/** Who stopped it is in the audit log alone. */
const StoppedBy = ({ of: { execution_id, status } }: { readonly of: AdminExecutionDetail }) => {
  const { data: entry, isLoading } = useLoad(
    `stopped ${execution_id}`,
    async (signal) => (await latestChange(execution_id, "execution.stopped", signal)) ?? null
  )
  if (entry) return <UntrustedText text={entry.actor.name} isBrief />
  return <span class="quiet">{isLoading ? "" : status === "aborted" ? "its caller" : "not recorded"}</span>
}

export const ExecutionFacts = ({ of }: { readonly of: AdminExecutionDetail }) => {
  const isStopped = of.status === "aborted" || of.status === "cancelled"
  return (
    <>
      <FactsCard
        of={{
          Id: <WholeId of={of.execution_id} />,
          Reference: of.reference === of.execution_id ? null : <UntrustedText text={of.reference} />,
          Task: prose`${<ThingLink of="tasks" id={of.task_slug} name={of.task_name} />}, version ${of.task_version_number}`,
          Agent:
            of.agent_name === null ? (
              <span class="quiet">removed</span>
            ) : (
              <ThingLink of="agents" id={of.agent_id} name={of.agent_name} />
            ),
          Key: <ThingLink of="keys" id={of.key_id} />,
          "Stopped by": isStopped ? <StoppedBy of={of} /> : null,
          Schedule: of.schedule_id && <ThingLink of="schedules" id={of.schedule_id} />,
          "Runs again": of.rerun_of && <ThingLink of="executions" id={of.rerun_of} />,
          "Callback URL":
            of.callback_url === null ? "none" : <UntrustedText text={urlWords(of.callback_url)} />,
          "Concurrency key": of.concurrency_key && <UntrustedText text={of.concurrency_key} />,
          Attempt: of.attempt === 0 ? null : String(of.attempt),
          Priority: of.priority === 0 ? null : <span class="num">{of.priority}</span>,
          "Not before": of.scheduled_at && <Moment at={of.scheduled_at} isExact />,
          Expires: of.expires_at && <Moment at={of.expires_at} isExact />,
          "Time limit": of.timeout_seconds && durationWords(of.timeout_seconds * 1_000)
        }}
      />
      {Object.keys(of.metadata).length === 0 ? null : (
        <FactsCard
          title="Metadata"
          of={Object.entries(of.metadata).map(([name, value]): readonly [VNode, VNode] => [
            <UntrustedText key={name} text={name} max={80} />,
            <UntrustedText key={name} text={typeof value === "string" ? value : JSON.stringify(value)} />
          ])}
        />
      )}
    </>
  )
}

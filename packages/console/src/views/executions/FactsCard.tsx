/** The facts of an execution. */
import type { AdminExecutionDetail } from "@runhook/sdk/admin"
import { Fragment } from "preact"
import { useLoad } from "../../data/useLoad.ts"
import { durationWords } from "../../format/Amounts.ts"
import { shortId, urlWords } from "../../format/Ids.ts"
import { Card, Copy, Facts, Id, Moment, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { pathOf } from "../../shell/Paths.ts"
import { KeyLink } from "../keys/KeyLink.tsx"

/** Who stopped it is in the audit log alone. */
const StoppedBy = ({ of: { execution_id, status } }: { readonly of: AdminExecutionDetail }) => {
  const { data } = useLoad(`stopped ${execution_id}`, (signal) =>
    account.value.audit
      .list({ subject_id: execution_id, q: "execution.stopped", limit: 1 }, { signal })
      .page()
  )
  const [entry] = data?.data ?? []
  if (entry !== undefined) return <UntrustedText text={entry.actor.name} isBrief />
  return (
    <span class="quiet">
      {data === undefined ? "" : status === "aborted" ? "its caller" : "not recorded"}
    </span>
  )
}

export const FactsCard = ({ of }: { readonly of: AdminExecutionDetail }) => {
  const isStopped = of.status === "aborted" || of.status === "cancelled"
  return (
    <>
      <Card title="Facts">
        <Facts
          of={{
            Id: (
              <>
                <Id of={of.execution_id} isWhole /> <Copy text={of.execution_id} of="id" />
              </>
            ),
            Reference: of.reference === of.execution_id ? null : <UntrustedText text={of.reference} />,
            Task: (
              <>
                <a href={pathOf`/tasks/${of.task_slug}`}>
                  <UntrustedText text={of.task_name} max={80} isBrief />
                </a>
                , version {of.task_version_number}
              </>
            ),
            Agent:
              of.agent_name === null ? (
                <span class="quiet">removed</span>
              ) : (
                <a href={pathOf`/agents/${of.agent_id}`}>
                  <UntrustedText text={of.agent_name} max={80} isBrief />
                </a>
              ),
            Key: <KeyLink id={of.key_id} />,
            "Stopped by": isStopped ? <StoppedBy of={of} /> : null,
            Schedule: of.schedule_id && (
              <a href={pathOf`/schedules/${of.schedule_id}`}>
                <Id of={of.schedule_id} />
              </a>
            ),
            "Runs again":
              of.rerun_of === null ? null : (
                <a href={pathOf`/executions/${of.rerun_of}`}>
                  <code>{shortId(of.rerun_of)}</code>
                </a>
              ),
            "Callback URL":
              of.callback_url === null ? "none" : <UntrustedText text={urlWords(of.callback_url)} />,
            "Concurrency key": of.concurrency_key && <UntrustedText text={of.concurrency_key} />,
            Attempt: of.attempt === 0 ? null : String(of.attempt),
            Priority: of.priority === 0 ? null : <span class="num">{of.priority}</span>,
            "Not before": of.scheduled_at === null ? null : <Moment at={of.scheduled_at} isExact />,
            Expires: of.expires_at === null ? null : <Moment at={of.expires_at} isExact />,
            "Time limit": of.timeout_seconds === null ? null : durationWords(of.timeout_seconds * 1_000)
          }}
        />
      </Card>
      {Object.keys(of.metadata).length === 0 ? null : (
        <Card title="Metadata">
          <dl class="facts">
            {Object.entries(of.metadata).map(([name, value]) => (
              <Fragment key={name}>
                <dt>
                  <UntrustedText text={name} max={80} />
                </dt>
                <dd>
                  <UntrustedText text={typeof value === "string" ? value : JSON.stringify(value)} />
                </dd>
              </Fragment>
            ))}
          </dl>
        </Card>
      )}
    </>
  )
}

/** What is wrong now, what was, and who is told. */
import type { Alert } from "@runhook/sdk/admin"
import { useLoad } from "../../data/useLoad.ts"
import { useLive } from "../../live/Live.ts"
import { Moment, Note, ProblemNote, Skeleton, UntrustedText } from "../../parts/Parts.ts"
import { account, isAdmin } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathOf, pathTo } from "../../shell/Paths.ts"
import { AlertTargets } from "./AlertTargets.tsx"

export const Alerts = () => {
  const { data, error, isLoading, reload } = useLoad(`alerts ${account.value.id}`, (signal) =>
    account.value.alerts.list({ signal })
  )
  useLive(["delivery", "execution", "agent"], reload)
  const open = data?.data.filter(({ closed_at }) => closed_at === null) ?? []
  const over = data?.data.filter(({ closed_at }) => closed_at !== null) ?? []
  return (
    <>
      <Head title="Alerts">
        Checked once a minute. See <a href="/docs/guides/operating/alerts">when alerts open and close</a>.
      </Head>
      <div class="stack">
        {error === undefined ? null : <ProblemNote error={error} what="list of alerts" onRetry={reload} />}
        {isLoading ? <Skeleton lines={3} /> : null}
        {data !== undefined && open.length === 0 ? (
          <Note tone="good">
            <p>No alert is open.</p>
          </Note>
        ) : null}
        {open.map((alert) => (
          <Note key={`${alert.kind} ${alert.subject}`} tone="bad" icon="alert" title={<Title of={alert} />}>
            <p>
              <UntrustedText text={alert.detail} /> Since <Moment at={alert.since} />.
            </p>
            <p>
              <UntrustedText text={alert.advice} />
            </p>
          </Note>
        ))}
        {over.length === 0 ? null : (
          <details class="card fold">
            <summary>Over in the last days: {over.length}</summary>
            <ul>
              {over.map((alert) => (
                <li key={`${alert.kind} ${alert.subject} ${alert.opened_at}`}>
                  <Title of={alert} />, <Moment at={alert.opened_at} /> to <Moment at={alert.closed_at} />
                </li>
              ))}
            </ul>
          </details>
        )}
        {isAdmin.value ? (
          <AlertTargets />
        ) : (
          <Note title="Only admins see who is told">
            <p>Ask an admin of this account.</p>
          </Note>
        )}
      </div>
    </>
  )
}

/** Leads to what it is about. */
const Title = ({ of: { kind, subject, title } }: { readonly of: Alert }) => (
  <a href={placeOf(kind, subject)}>
    <UntrustedText text={title} isBrief />
  </a>
)

const placeOf = (kind: string, subject: string | null): string => {
  switch (kind) {
    case "receiver_held":
      return pathTo("/deliveries", { origin: subject })
    case "no_runner":
      return pathOf`/agents/${subject ?? ""}`
    case "failing_rate":
      return pathTo("/executions", { task: subject, status: "error" })
    default:
      return pathTo("/dead-letters")
  }
}

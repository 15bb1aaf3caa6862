/** What is wrong now, what was, and who is told. */
import type { Alert } from "@runhook/sdk/admin"
import { useLive, useLoad } from "../../data/Data.ts"
import { Loaded, Moment, NameLink, Note, OnlyAdmins, UntrustedText } from "../../parts/Parts.ts"
import { account, isAdmin } from "../../session/Session.ts"
import { Head, pathOf, pathTo } from "../../shell/Shell.ts"
import { AlertTargets } from "./AlertTargets.tsx"
import { service } from "../../shell/Paths.ts"

export const Alerts = () => {
  const loaded = useLoad("alerts", (signal) => account.value.alerts.list({ signal }))
  useLive(["delivery", "execution", "agent"], loaded.reload)
  return (
    <>
      <Head title="Alerts">
        Checked once a minute. See{" "}
        <a href={`${service}/docs/guides/operating/alerts`}>when alerts open and close</a>.
      </Head>
      <div class="stack">
        <Loaded of={loaded} what="list of alerts" lines={3}>
          {({ data }) => <Shown of={data} />}
        </Loaded>
        {/* Alerts that come later would push it away. */}
        {loaded.isLoading ? null : isAdmin.value ? <AlertTargets /> : <OnlyAdmins see="who is told" />}
      </div>
    </>
  )
}

const Shown = ({ of: alerts }: { readonly of: ReadonlyArray<Alert> }) => {
  const open = alerts.filter(({ closed_at }) => closed_at === null)
  const over = alerts.filter(({ closed_at }) => closed_at !== null)
  return (
    <>
      {open.length > 0 ? null : <Note tone="good">No alert is open.</Note>}
      {open.map((alert) => (
        <Note
          key={`${alert.kind} ${alert.subject}`}
          tone="bad"
          icon="alert"
          title={<Title of={alert} />}
          more={
            <p>
              <UntrustedText text={alert.advice} />
            </p>
          }
        >
          <UntrustedText text={alert.detail} /> Since <Moment at={alert.since} />.
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
    </>
  )
}

/** Leads to what it is about. */
const Title = ({ of: { kind, subject, title } }: { readonly of: Alert }) => (
  <NameLink href={placeOf(kind, subject)} text={title} />
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

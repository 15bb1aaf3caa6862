/** The receivers of the account, the worst first. */
import { useLoad } from "../../data/useLoad.ts"
import { useLive } from "../../live/Live.ts"
import { EmptyState, ProblemNote, Skeleton } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { ReceiverTable } from "./ReceiverTable.tsx"
import "./receivers.css"

/** Most that the service returns at once. */
const limit = 200

export const Receivers = () => {
  const { data, error, isLoading, reload } = useLoad(`receivers ${account.value.id}`, (signal) =>
    account.value.usage.receivers({ limit }, { signal })
  )
  useLive("delivery", reload)
  return (
    <>
      <Head
        title="Receivers"
        acts={
          <a class="btn" href={pathTo("/test-webhook")}>
            Send test webhook
          </a>
        }
      >
        Where callbacks go, by origin. Those that need attention come first.
      </Head>
      {error === undefined ? null : <ProblemNote error={error} what="list of receivers" onRetry={reload} />}
      {isLoading ? <Skeleton /> : null}
      {data === undefined ? null : data.data.length === 0 ? (
        <EmptyState
          title="No receiver yet"
          action={
            <a class="btn" href={pathTo("/test-webhook")}>
              Send test webhook
            </a>
          }
        >
          One appears here when an execution with a <code>callback_url</code> changes status.
        </EmptyState>
      ) : (
        <>
          <ReceiverTable of={data.data} label="Receivers, the worst first" />
          <p class="more">
            {data.is_more
              ? `The ${data.data.length} that matter most are shown.`
              : `${data.data.length} ${data.data.length === 1 ? "receiver" : "receivers"}`}
          </p>
        </>
      )}
    </>
  )
}

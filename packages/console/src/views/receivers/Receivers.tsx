/** Where callbacks of the account go, the worst first. */
import { useLoad } from "../../data/Loading.ts"
import { useLive } from "../../live/Live.ts"
import { Bones } from "../../parts/Bones.tsx"
import { None } from "../../parts/None.tsx"
import { ProblemNote } from "../../parts/problem/ProblemNote.tsx"
import { account } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { ReceiverTable } from "./ReceiverTable.tsx"
import "./receivers.css"

/** As many as the service answers at once. */
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
        Where callbacks go, origin by origin. Those that need somebody come first.
      </Head>
      {error === undefined ? null : <ProblemNote error={error} what="list of receivers" onRetry={reload} />}
      {isLoading ? <Bones /> : null}
      {data === undefined ? null : data.data.length === 0 ? (
        <None
          title="No receiver yet"
          action={
            <a class="btn" href={pathTo("/test-webhook")}>
              Send test webhook
            </a>
          }
        >
          One appears here when an execution with a <code>callback_url</code> changes status.
        </None>
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

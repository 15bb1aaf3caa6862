/** The receivers of the account, the worst first. */
import { useLive, useLoad } from "../../data/Data.ts"
import { countOf } from "../../format/Amounts.ts"
import { EmptyState, Loaded } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { Head, pathTo } from "../../shell/Shell.ts"
import { ReceiverTable } from "./ReceiverTable.tsx"
import "./receivers.css"

/** Most that the service returns at once. */
const limit = 200

const test = (
  <a class="btn" href={pathTo("/test-webhook")}>
    Send test webhook
  </a>
)

export const Receivers = () => {
  const loaded = useLoad("receivers", (signal) => account.value.usage.receivers({ limit }, { signal }))
  useLive("delivery", loaded.reload)
  return (
    <>
      <Head title="Receivers" acts={test}>
        Where callbacks go, by origin. Those that need attention come first.
      </Head>
      <Loaded of={loaded} what="list of receivers">
        {({ data, is_more }) =>
          data.length === 0 ? (
            <EmptyState title="No receiver yet" action={test}>
              One appears here when an execution with a <code>callback_url</code> changes status.
            </EmptyState>
          ) : (
            <>
              <ReceiverTable of={data} />
              <p class="more">
                {is_more
                  ? `The ${data.length} that matter most are shown.`
                  : countOf(data.length, "receiver")}
              </p>
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** The overview: what needs attention, and current numbers. First steps, until something was delivered. */
import { useEffect, useRef, useState } from "preact/hooks"
import { useLoad } from "../../data/useLoad.ts"
import { useLive } from "../../live/Live.ts"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { ProblemNote } from "../../parts/problem/ProblemNote.tsx"
import { account } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { after, now } from "../../time/Clock.ts"
import { zone, zoneName } from "../../time/Zone.ts"
import { ReceiverTable } from "../receivers/ReceiverTable.tsx"
import "../receivers/receivers.css"
import { TestWebhook } from "../test-webhook/TestWebhook.tsx"
import { FirstSteps } from "./FirstSteps.tsx"
import { loadTrends, loadCurrent } from "./OverviewQueries.ts"
import { needsOf } from "./Need.ts"
import { Needs } from "./Needs.tsx"
import { RightNow } from "./RightNow.tsx"
import { Trends } from "./Trends.tsx"
import "./overview.css"

/** Counts are reloaded at this interval. */
const countedEveryMs = 30_000

/** Most receivers on this page; all are on their own page. */
const receiversMax = 6

export const Overview = () => {
  const { id } = account.value
  const trends = useLoad(`around ${id}`, (signal) => loadTrends(account.value, now(), signal))
  const current = useLoad(`now ${id}`, (signal) => loadCurrent(account.value, now(), signal))
  useLive(["execution", "delivery", "agent", "key"], current.reload)
  useEffect(() => {
    let stop = () => {}
    const again = () => {
      stop = after(countedEveryMs, () => {
        if (!document.hidden) trends.reload()
        again()
      })
    }
    again()
    return () => stop()
  }, [id])
  const [isDone, setDone] = useState(false)
  const [isTesting, setTesting] = useState(false)
  const began = useRef<string | undefined>(undefined)
  const seen = current.data
  // A user who began with the steps sees the last one ticked, and leaves when ready.
  if (seen?.hasSettled === false) began.current = id
  const isBeginning = began.current === id && !isDone
  // The heading stays the same element, since it may have the focus.
  const head = (
    <Head
      title="Overview"
      acts={
        isBeginning || current.isLoading ? null : (
          <>
            <button type="button" aria-expanded={isTesting} onClick={() => setTesting(!isTesting)}>
              Send test webhook
            </button>
            <a class="btn first" href={pathTo("/keys/new")}>
              New API key
            </a>
          </>
        )
      }
    >
      {isBeginning
        ? "Welcome to Runhook. Queue work over HTTP, get signed callbacks. This page fills up once work runs."
        : `Times in ${zoneName(zone.value)}.`}
    </Head>
  )
  if (seen !== undefined && isBeginning) {
    return (
      <>
        {head}
        <FirstSteps of={{ ...seen, hasArrived: seen.hasSettled }} onDone={() => setDone(true)} />
      </>
    )
  }
  return (
    <>
      {head}
      {current.error === undefined ? null : (
        <ProblemNote error={current.error} what="overview" onRetry={current.reload} />
      )}
      {isTesting && seen !== undefined ? (
        <TestWebhook key={id} keys={seen.keys.filter(({ revoked_at }) => revoked_at === null)} />
      ) : null}
      {current.isLoading ? <Skeleton lines={8} /> : null}
      {seen === undefined ? null : (
        <>
          <Needs of={needsOf(seen, now())} checkedAt={seen.checkedAt} />
          <RightNow of={seen.overview} />
        </>
      )}
      {trends.error === undefined ? null : (
        <ProblemNote error={trends.error} what="usage" onRetry={trends.reload} />
      )}
      {seen === undefined || trends.data === undefined ? null : (
        <Trends {...trends.data} queuedNow={seen.overview.queued} />
      )}
      {seen === undefined || seen.receivers.length === 0 ? null : (
        <section aria-labelledby="receivers">
          <h2 id="receivers" class="gapped">
            Receivers
          </h2>
          <ReceiverTable of={seen.receivers.slice(0, receiversMax)} label="Receivers, the worst first" />
          {seen.receivers.length > receiversMax ? (
            <p class="more">
              <a href={pathTo("/receivers")}>All receivers</a>
            </p>
          ) : null}
        </section>
      )}
    </>
  )
}

/** Is anything the reader's to do, and how does it go? First steps, while nothing was ever delivered. */
import { useEffect, useRef, useState } from "preact/hooks"
import { useLoad } from "../../data/Loading.ts"
import { useLive } from "../../live/Live.ts"
import { Bones } from "../../parts/Bones.tsx"
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
import { lookAround, lookNow } from "./Looking.ts"
import { needsOf } from "./Need.ts"
import { Needs } from "./Needs.tsx"
import { RightNow } from "./RightNow.tsx"
import { Trends } from "./Trends.tsx"
import "./overview.css"

/** What was counted is looked at again after that long: charts of days do not tick. */
const countedEveryMs = 30_000

/** Receivers on this page; the rest have a page of their own. */
const receiversMax = 6

export const Overview = () => {
  const { id } = account.value
  const around = useLoad(`around ${id}`, (signal) => lookAround(account.value, now(), signal))
  const current = useLoad(`now ${id}`, (signal) => lookNow(account.value, now(), signal))
  useLive(["execution", "delivery", "agent", "key"], current.reload)
  useEffect(() => {
    let stop = () => {}
    const again = () => {
      stop = after(countedEveryMs, () => {
        if (!document.hidden) around.reload()
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
  // Who began with the steps sees the last of them tick, and goes on when they like.
  if (seen?.hasSettled === false) began.current = id
  const isBeginning = began.current === id && !isDone
  // One heading, whatever comes to stand below it: somebody may have it in focus by then.
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
        ? "Welcome to Runhook. Queue work over HTTP, get signed callbacks. This page fills itself once work runs."
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
      {current.isLoading ? <Bones lines={8} /> : null}
      {seen === undefined ? null : (
        <>
          <Needs of={needsOf(seen, now())} checkedAt={seen.checkedAt} />
          <RightNow of={seen.overview} />
        </>
      )}
      {around.error === undefined ? null : (
        <ProblemNote error={around.error} what="usage" onRetry={around.reload} />
      )}
      {seen === undefined || around.data === undefined ? null : (
        <Trends {...around.data} queuedNow={seen.overview.queued} />
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

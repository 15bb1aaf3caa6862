/** The overview: what needs attention, and current numbers. First steps, until something was delivered. */
import { useRef, useState } from "preact/hooks"
import { useFilters, useLive, useLoad } from "../../data/Data.ts"
import { ProblemNote, prose, Section, Skeleton } from "../../parts/Parts.ts"
import { isUsable } from "../../format/Choices.ts"
import { account } from "../../session/Session.ts"
import { counts } from "../../shell/DeadCount.tsx"
import { Head, pathTo } from "../../shell/Shell.ts"
import { now } from "../../time/Clock.ts"
import { useEvery } from "../../time/useEvery.ts"
import { zone, zoneName } from "../../time/Zone.ts"
import { ReceiverTable } from "../receivers/ReceiverTable.tsx"
import "../receivers/receivers.css"
import { TestWebhook } from "../test-webhook/TestWebhook.tsx"
import { spanOf } from "../usage/UsageSpan.ts"
import { FirstSteps } from "./FirstSteps.tsx"
import { loadCurrent, loadStart, loadTrends } from "./OverviewQueries.ts"
import { needsOf } from "./Need.ts"
import { Needs } from "./Needs.tsx"
import { Trends } from "./Trends.tsx"
import "./overview.css"
import type { Overview as Counts } from "@runhook/sdk/admin"
import type { ComponentChild } from "preact"
import { boundedWords, durationWords } from "../../format/Amounts.ts"

/** Counts are reloaded at this interval. */
const countedEveryMs = 30_000

/** Most receivers on this page; all are on their own page. */
const receiversMax = 6

export const Overview = () => {
  const { id } = account.value
  const { filters, href } = useFilters("/", ["span"])
  const span = spanOf(filters.span ?? "24h")
  const began = useRef(false)
  const trends = useLoad(`trends ${span.name}`, (signal) =>
    loadTrends(account.value, { now: now(), span }, signal)
  )
  const current = useLoad("now", async (signal) => {
    const loaded = await loadCurrent(account.value, now(), signal)
    counts.value = { accountId: id, ...loaded.overview }
    return loaded
  })
  const settled = useRef(false)
  const start = useLoad("start", async (signal) => {
    const loaded = await loadStart(account.value, settled.current, signal)
    settled.current = loaded.hasSettled
    return loaded
  })
  useLive(["execution", "delivery", "agent"], current.reload)
  useLive(start.data?.hasSettled === true ? "key" : ["execution", "delivery", "agent", "key"], start.reload)
  useEvery(countedEveryMs, trends.reload)
  const [isDone, setDone] = useState(false)
  const [isTesting, setTesting] = useState(false)
  const seen = current.data
  // A user who began with the steps sees the last one ticked, and leaves when ready.
  if (start.data?.hasSettled === false) began.current = true
  const isBeginning = began.current && !isDone
  const isLoading = current.isLoading || start.isLoading
  // The heading stays the same element, since it may have the focus.
  const head = (
    <Head
      title="Overview"
      acts={
        isBeginning || isLoading ? null : (
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
  const failed = [current, start, trends].find(({ error }) => error !== undefined)
  const problem = <ProblemNote error={failed?.error} what="overview" onRetry={failed?.reload} />
  if (seen === undefined || start.data === undefined) {
    return (
      <>
        {head}
        {problem}
        {isLoading ? <Skeleton lines={8} /> : null}
      </>
    )
  }
  if (isBeginning) {
    return (
      <>
        {head}
        <FirstSteps
          of={{ ...start.data, overview: seen.overview, hasArrived: start.data.hasSettled }}
          onDone={() => setDone(true)}
        />
      </>
    )
  }
  const { keys } = start.data
  return (
    <>
      {head}
      {problem}
      {isTesting ? <TestWebhook keys={keys.filter(isUsable)} /> : null}
      <Needs of={needsOf({ ...seen, keys }, now())} checkedAt={seen.checkedAt} />
      <RightNow of={seen.overview} />
      <Trends span={span} href={href} of={trends.data} queuedNow={seen.overview.queued} />
      {seen.receivers.length === 0 ? null : (
        <Section title="Receivers">
          <ReceiverTable of={seen.receivers.slice(0, receiversMax)} />
          {seen.receivers.length > receiversMax ? (
            <p class="more">
              <a href={pathTo("/receivers")}>All receivers</a>
            </p>
          ) : null}
        </Section>
      )}
    </>
  )
}

/** Current numbers. */
const RightNow = ({ of }: { readonly of: Counts }) => {
  const counted = (count: number) => boundedWords(count, of.counts_to)
  const waits = of.oldest_queued_at === null ? 0 : now() - Date.parse(of.oldest_queued_at)
  const oldest = waits < 1_000 ? null : <small class="quiet">, oldest {durationWords(waits)}</small>
  const draining = of.draining === 0 ? null : <small class="quiet">, {counted(of.draining)} draining</small>
  const facts: ReadonlyArray<readonly [name: string, href: string, value: ComponentChild]> = [
    ["Running", executionsThat("running"), `${counted(of.running)} of ${counted(of.slots)}`],
    ["Queued", executionsThat("queued"), prose`${counted(of.queued)}${oldest}`],
    ["Needs input", executionsThat("awaiting_input"), counted(of.needs_input)],
    ["Runners", pathTo("/agents"), prose`${counted(of.runners)}${draining}`],
    ["Callbacks waiting", pathTo("/deliveries", { state: "waiting" }), counted(of.waiting_deliveries)],
    ["Dead letters", pathTo("/dead-letters"), counted(of.dead_letters)]
  ]
  return (
    <section class="card" aria-label="Right now">
      <dl class="now">
        {facts.map(([name, href, value]) => (
          <div key={name}>
            <dt>
              <a href={href}>{name}</a>
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const executionsThat = (status: string): string => pathTo("/executions", { status })

/** Dead letters by receiver and cause, and their replays. */
import { type AdminReplayDeliveries, deliveryAttemptsMax, type ReplayJob } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { Kept } from "../../data/Kept.ts"
import { type KeptList, rowsOf, useList } from "../../data/useList.ts"
import { useLoad } from "../../data/useLoad.ts"
import { useLive } from "../../live/Live.ts"
import { Button, EmptyState, ProblemNote, Skeleton } from "../../parts/Parts.ts"
import { account, membership } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { filterOf } from "./Groups.ts"
import "./DeadLetters.css"
import { GroupTable } from "./GroupTable.tsx"
import { JobCard } from "./JobCard.tsx"
import { Jobs } from "./Jobs.tsx"
import { progressOf } from "./Progress.ts"
import { ReplayDialog } from "./ReplayDialog.tsx"

const everything: AdminReplayDeliveries = { status: ["dead"] }

const kept = new Kept<KeptList<ReplayJob>>()

export const DeadLetters = () => {
  const of = membership.value?.id ?? ""
  const letters = useLoad(`dead letters of ${of}`, (signal) =>
    account.value.deliveries.deadLetters({ signal })
  )
  const jobs = useList({
    kept,
    key: of,
    ...rowsOf<ReplayJob>(account.value.replays)
  })
  useLive(["delivery", "replay"], () => {
    letters.reload()
    jobs.reload()
  })
  const [asked, setAsked] = useState<AdminReplayDeliveries>()
  const groups = letters.data?.data
  return (
    <>
      <Head
        title="Dead letters"
        acts={
          groups === undefined || groups.length < 2 ? null : (
            <Button isChange onPress={() => setAsked(everything)}>
              Replay all…
            </Button>
          )
        }
      >
        Callbacks given up after {deliveryAttemptsMax} attempts, by receiver and cause: one fix usually clears
        a whole group.
      </Head>
      <div class="stack">
        {jobs.rows
          .filter((job) => progressOf(job).isUnderWay)
          .map((job) => (
            <JobCard key={job.id} job={job} onChange={jobs.replace} />
          ))}
        {letters.error === undefined ? null : (
          <ProblemNote error={letters.error} what="list" onRetry={letters.reload} />
        )}
        {groups === undefined ? (
          letters.error === undefined ? (
            <Skeleton />
          ) : null
        ) : groups.length === 0 ? (
          <EmptyState title="Nothing was given up" action={<a href={pathTo("/deliveries")}>Deliveries</a>}>
            Every callback was delivered or is still being tried.
          </EmptyState>
        ) : (
          <GroupTable groups={groups} onReplay={(group) => setAsked(filterOf(group))} />
        )}
        {groups === undefined || groups.length === 0 ? null : (
          <p class="quiet small">
            Kept for 90 days, then deleted.
            {letters.data?.is_more === true ? " There are more groups than are told apart here." : ""} What
            still waits goes by itself once its receiver works.{" "}
            <a href={pathTo("/deliveries", { state: "dead" })}>One by one</a>
          </p>
        )}
        {jobs.rows.length === 0 ? null : (
          <section class="stack replays">
            <h2>Replays</h2>
            <Jobs of={jobs} />
          </section>
        )}
      </div>
      <ReplayDialog
        filter={asked}
        onClose={() => setAsked(undefined)}
        onBegun={() => {
          setAsked(undefined)
          jobs.reload()
          letters.reload()
        }}
      />
    </>
  )
}

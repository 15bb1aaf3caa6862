/** Dead letters by receiver and cause, and their replays. */
import { type AdminReplayDeliveries, deliveryAttemptsMax, type ReplayJob } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { Kept, type KeptList, useLive, useLoad, useRows } from "../../data/Data.ts"
import { Button, EmptyState, Loaded, Section } from "../../parts/Parts.ts"
import { account, membership } from "../../session/Session.ts"
import { Head, pathTo } from "../../shell/Shell.ts"
import { filterOf } from "./Groups.ts"
import "./DeadLetters.css"
import { GroupTable } from "./GroupTable.tsx"
import { ReplayCard } from "./ReplayCard.tsx"
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
  const jobs = useRows<ReplayJob>(account.value.replays, { kept })
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
            <ReplayCard key={job.id} job={job} onChange={jobs.replace} />
          ))}
        <Loaded of={letters} what="list">
          {({ data, is_more }) =>
            data.length === 0 ? (
              <EmptyState
                title="Nothing was given up"
                action={<a href={pathTo("/deliveries")}>Deliveries</a>}
              >
                Every callback was delivered or is still being tried.
              </EmptyState>
            ) : (
              <>
                <GroupTable groups={data} onReplay={(group) => setAsked(filterOf(group))} />
                <p class="quiet small">
                  Kept for 90 days, then deleted.
                  {is_more ? " There are more groups than are told apart here." : ""} What still waits goes by
                  itself once its receiver works.{" "}
                  <a href={pathTo("/deliveries", { state: "dead" })}>One by one</a>
                </p>
              </>
            )
          }
        </Loaded>
        {jobs.rows.length === 0 ? null : (
          <Section title="Replays">
            <Jobs of={jobs} />
          </Section>
        )}
      </div>
      {asked === undefined ? null : (
        <ReplayDialog
          filter={asked}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined)
            jobs.reload()
            letters.reload()
          }}
        />
      )}
    </>
  )
}

/** Dead letters by receiver and cause, and their replays. */
import {
  type AdminReplayDeliveries,
  type DeadLetterGroup,
  deliveryAttemptsMax,
  type ReplayJob
} from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { Kept, type KeptList, useLive, useLoad, useRows } from "../../data/Data.ts"
import { Button, type Column, EmptyState, List, Loaded, Moment, NameLink } from "../../parts/Parts.ts"
import { Section, Span, Status, Table } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { Head, pathOf, pathTo } from "../../shell/Shell.ts"
import { atLeastWords, filterOf, groupHref, groupKey, typeWords } from "./Groups.ts"
import "./DeadLetters.css"
import { JobScope, ReplayCard } from "./ReplayCard.tsx"
import { jobWords, progressOf } from "./Progress.ts"
import { ReplayDialog } from "./ReplayDialog.tsx"
import { urlWords } from "../../format/Ids.ts"
import { causeWords } from "../deliveries/CauseWords.ts"

const everything: AdminReplayDeliveries = { status: ["dead"] }

const kept = new Kept<KeptList<ReplayJob>>()

export const DeadLetters = () => {
  const letters = useLoad("dead letters", (signal) => account.value.deliveries.deadLetters({ signal }))
  const jobs = useRows<ReplayJob>(account.value.replays, { kept })
  useLive(["delivery", "replay"], () => Promise.all([letters.reload(), jobs.reload()]))
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
            <ReplayCard
              key={job.id}
              job={job}
              onChange={(stopped) => {
                jobs.list.replace(stopped)
                jobs.reload()
              }}
            />
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
                <Table
                  class="list groups"
                  label="Dead letters by receiver and cause"
                  items={data}
                  idOf={groupKey}
                  columns={groupColumns((group) => setAsked(filterOf(group)))}
                />
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
            <List
              of={jobs}
              one="replay"
              label="Replays, newest first"
              none={<p class="quiet">None in the last 30 days.</p>}
              columns={jobColumns}
            />
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

const signOf = (job: ReplayJob): string => {
  if (progressOf(job).isUnderWay) return "running"
  if (job.status === "cancelled") return "cancelled"
  return job.failed > 0 ? "failed" : "completed"
}

const jobColumns: ReadonlyArray<Column<ReplayJob>> = [
  { head: "Status", cell: (job) => <Status of={signOf(job)} word={jobWords(job)} /> },
  {
    head: "Replay",
    isRowHead: true,
    cell: (job) => (
      <a href={pathOf`/replays/${job.id}`}>
        <JobScope filter={job.filter} />
      </a>
    )
  },
  { head: "Due again", class: "end num p3", cell: ({ replayed }) => replayed },
  { head: "Delivered", class: "end num p2", cell: ({ delivered }) => delivered },
  { head: "Failed", class: "end num p2", cell: ({ failed }) => failed },
  { head: "Begun", class: "end", cell: (job) => <Moment at={job.created_at} /> }
]

const groupColumns = (replay: (group: DeadLetterGroup) => void): ReadonlyArray<Column<DeadLetterGroup>> => [
  {
    head: "Receiver and cause",
    isRowHead: true,
    cell: (group) => <NameLink href={groupHref(group)} text={urlWords(group.origin)} />,
    sub: ({ cause }) => causeWords(cause)
  },
  { head: "Count", class: "end num", cell: ({ dead, is_more }) => atLeastWords(dead, is_more) },
  { head: "Events", class: "p3", cell: ({ types }) => typeWords(types) },
  {
    head: "Created",
    class: "p1",
    cell: ({ newest_at, oldest_at }) => <Span from={oldest_at} to={newest_at} />
  },
  {
    head: "Replay",
    class: "end",
    isHeadHidden: true,
    cell: (group) => (
      <Button
        isChange
        label={`Replay ${group.dead} to ${group.origin}, ${causeWords(group.cause)}`}
        why={filterOf(group) === undefined ? "Reload this page: it is out of date." : undefined}
        onPress={() => replay(group)}
      >
        Replay…
      </Button>
    )
  }
]

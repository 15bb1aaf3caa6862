/** One replay: its progress, its result, its scope. */
import type { ReplayJob } from "@runhook/sdk/admin"
import { Kept, useLive, useLoad } from "../../data/Data.ts"
import { countWords, spanWords } from "../../format/Amounts.ts"
import { FactsCard, Moment, prose, UntrustedText, WholeId } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { Detail, pathTo } from "../../shell/Shell.ts"
import { causeWords } from "../deliveries/CauseWords.ts"
import { ReplayCard } from "./ReplayCard.tsx"
import { statesWords } from "./ReplayCard.tsx"

const kept = new Kept<ReplayJob>()

export const Replay = ({ id }: { readonly id: string }) => {
  const loaded = useLoad(`replay ${id}`, (signal) => account.value.replays.get(id, { signal }), kept)
  // Its numbers change with its deliveries.
  useLive([{ kind: "replay", id }, "delivery"], loaded.reload)
  return (
    <Detail id={id} of={loaded} what="replay" head={headOf}>
      {(job) => <Shown of={job} onChange={(stopped) => loaded.set({ ...job, ...stopped })} />}
    </Detail>
  )
}

const headOf = () => ({
  title: "Replay",
  children: "It continues when this page is closed, and stays here for 30 days."
})

interface ShownProps {
  readonly of: ReplayJob
  readonly onChange: (job: ReplayJob) => void
}

const Shown = ({ of: job, onChange }: ShownProps) => {
  const { filter } = job
  const failedAgain = pathTo("/deliveries", { state: "dead", origin: filter.url_origin, cause: filter.cause })
  return (
    <div class="stack">
      <ReplayCard job={job} onChange={onChange} isOwnPage />
      <div class="two">
        <FactsCard
          title="What became of it"
          of={{
            Expected: job.expected === null ? "More than were counted" : countWords(job.expected),
            "Due again": countWords(job.replayed),
            Delivered: countWords(job.delivered),
            "Failed again": job.failed === 0 ? "0" : <a href={failedAgain}>{job.failed}, see why</a>,
            "Still being delivered": countWords(job.waiting),
            Begun: <Moment at={job.created_at} isExact />,
            [job.status === "cancelled" ? "Stopped" : "All due again"]:
              job.finished_at &&
              prose`${<Moment at={job.finished_at} isExact />}, after ${spanWords(job.created_at, job.finished_at)}`
          }}
        />
        <FactsCard
          title="What was asked for"
          of={{
            What: statesWords(filter.status),
            Receiver: filter.url_origin === null ? "All" : <UntrustedText text={filter.url_origin} />,
            Cause: filter.cause && causeWords(filter.cause),
            "Event type": filter.type,
            Answer: filter.answer,
            Search: filter.q && <UntrustedText text={filter.q} />,
            Deliveries: filter.ids?.length,
            "Only last events": filter.last_only && "Yes",
            "Made from": filter.from && <Moment at={filter.from} isExact />,
            "Made until": filter.to && <Moment at={filter.to} isExact />,
            Id: <WholeId of={job.id} />
          }}
        />
      </div>
    </div>
  )
}

/** One replay: its progress, its result, its scope. */
import { useLoad } from "../../data/useLoad.ts"
import { countWords, spanWords } from "../../format/Amounts.ts"
import { useLive } from "../../live/Live.ts"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Card } from "../../parts/Card.tsx"
import { Copy } from "../../parts/Copy.tsx"
import { Facts } from "../../parts/Facts.tsx"
import { Id } from "../../parts/Id.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { ProblemNote } from "../../parts/problem/ProblemNote.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { causeWords } from "../deliveries/CauseWords.ts"
import { JobCard } from "./JobCard.tsx"
import { statesWords } from "./JobScope.tsx"

export const Replay = ({ id }: { readonly id: string }) => {
  const {
    data: job,
    error,
    reload,
    set
  } = useLoad(`replay ${id}`, (signal) => account.value.replays.get(id, { signal }))
  // Its numbers change with its deliveries.
  useLive([{ kind: "replay", id }, "delivery"], reload)
  const crumb = <a href={pathTo("/dead-letters")}>Dead letters</a>
  if (job === undefined) {
    return (
      <>
        <Head title="Replay" crumb={crumb} />
        {error === undefined ? (
          <Skeleton />
        ) : (
          <ProblemNote
            error={error}
            what="replay"
            all={{ href: pathTo("/dead-letters"), words: "All replays" }}
            onRetry={reload}
          />
        )}
      </>
    )
  }
  const { filter } = job
  const failedAgain = pathTo("/deliveries", { state: "dead", origin: filter.url_origin, cause: filter.cause })
  return (
    <>
      <Head title="Replay" crumb={crumb}>
        It continues when this page is closed, and stays here for 30 days.
      </Head>
      <div class="stack">
        {error === undefined ? null : <ProblemNote error={error} what="replay" onRetry={reload} />}
        <JobCard job={job} onChange={(stopped) => set({ ...job, ...stopped })} isOwnPage />
        <div class="two">
          <Card title="What became of it">
            <Facts
              of={[
                ["Expected", job.expected === null ? "More than were counted" : countWords(job.expected)],
                ["Due again", countWords(job.replayed)],
                ["Delivered", countWords(job.delivered)],
                ["Failed again", job.failed === 0 ? "0" : <a href={failedAgain}>{job.failed}, see why</a>],
                ["Still being delivered", countWords(job.waiting)],
                ["Begun", <Moment key="begun" at={job.created_at} isExact />],
                [
                  job.status === "cancelled" ? "Stopped" : "All due again",
                  job.finished_at === null ? null : (
                    <>
                      <Moment at={job.finished_at} isExact />, after{" "}
                      {spanWords(job.created_at, job.finished_at)}
                    </>
                  )
                ]
              ]}
            />
          </Card>
          <Card title="What was asked for">
            <Facts
              of={[
                ["What", statesWords(filter.status)],
                ["Receiver", filter.url_origin === null ? "All" : <UntrustedText text={filter.url_origin} />],
                ["Cause", filter.cause === null ? null : causeWords(filter.cause)],
                ["Event type", filter.type],
                ["Answer", filter.answer],
                ["Search", filter.q === null ? null : <UntrustedText text={filter.q} />],
                ["Deliveries", filter.ids === null ? null : filter.ids.length],
                ["Only last events", filter.last_only ? "Yes" : null],
                ["Made from", filter.from === null ? null : <Moment at={filter.from} isExact />],
                ["Made until", filter.to === null ? null : <Moment at={filter.to} isExact />],
                [
                  "Id",
                  <>
                    <Id of={job.id} /> <Copy text={job.id} of="replay id" />
                  </>
                ]
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  )
}

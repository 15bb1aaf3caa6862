/** All attempts: on a time axis, and as a table with their phases. */
import type { DeliveryAttempt, DeliveryDetail } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { countOf, durationWords, spanWords } from "../../format/Amounts.ts"
import { Card, type Column, Legend, Moment, Table } from "../../parts/Parts.ts"
import { pathTo } from "../../shell/Shell.ts"
import { axisOf } from "../executions/Axis.ts"
import { attemptMarks } from "../executions/Timeline.ts"
import { TimelineChart, TimelineLegend } from "../executions/TimelineChart.tsx"
import { phaseNames, phasesOf, phaseWords } from "./AttemptPhases.ts"
import { causeWords } from "./CauseWords.ts"

export interface AttemptsProps {
  readonly of: DeliveryDetail
  /** The attempt whose details are shown below. */
  readonly chosen: DeliveryAttempt
}

/** Rows that are shown before "Show all". */
const shownMax = 5

export const Attempts = ({ chosen, of: delivery }: AttemptsProps) => {
  const [isWhole, setWhole] = useState(false)
  const newestFirst = delivery.attempts_log.toReversed()
  const shown = isWhole ? newestFirst : newestFirst.slice(0, shownMax)
  const slowest = Math.max(1, ...shown.map(({ duration_ms }) => duration_ms))
  const hidden = newestFirst.length - shown.length
  return (
    <Card title={titleOf(delivery)}>
      <Rail of={delivery} />
      <div class="attempts">
        <Table
          label="Attempts, newest first"
          items={shown}
          current={chosen}
          idOf={keyOf}
          columns={columnsOf(delivery.id, chosen, slowest)}
        />
      </div>
      <Legend class="legend p2" of={phaseNames.map((name) => [phaseShape(name), phaseWords[name]])} />
      {hidden === 0 ? null : (
        <button type="button" class="bare" onClick={() => setWhole(true)}>
          Show the other {hidden}
        </button>
      )}
    </Card>
  )
}

const columnsOf = (
  id: string,
  chosen: DeliveryAttempt,
  slowest: number
): ReadonlyArray<Column<DeliveryAttempt>> => [
  {
    head: "No.",
    isRowHead: true,
    cell: (attempt) => (
      <a
        href={pathTo(`/deliveries/${encodeURIComponent(id)}`, { attempt: keyOf(attempt) })}
        aria-label={`Attempt ${numberOf(attempt)}`}
        aria-current={attempt === chosen ? "true" : undefined}
      >
        {numberOf(attempt)}
      </a>
    )
  },
  { head: "Time", cell: ({ started_at }) => <Moment at={started_at} isExact /> },
  { head: "Phases", class: "p2", cell: (attempt) => <Phases of={attempt} slowest={slowest} /> },
  { head: "Took", class: "end num", cell: ({ duration_ms }) => durationWords(duration_ms) },
  { head: "Answer", cell: (attempt) => <Answered of={attempt} /> }
]

/** Identifies an attempt in the address. */
export const keyOf = ({ number, round }: DeliveryAttempt): string => `${round}.${number}`

/** The round is only named from the second on, since most deliveries have one. */
export const numberOf = ({ number, round }: DeliveryAttempt): string =>
  round === 1 ? String(number) : `${round}.${number}`

const titleOf = ({ attempts_log }: DeliveryDetail): string => {
  const count = countOf(attempts_log.length, "attempt")
  const span = spanWords(attempts_log[0]?.started_at ?? null, attempts_log.at(-1)?.started_at ?? null)
  return attempts_log.length === 1 ? count : `${count} in ${span}`
}

const Answered = ({ of: { cause, error, response } }: { readonly of: DeliveryAttempt }) => {
  if (error === null) return <span class="good">{response?.status ?? "Delivered"}</span>
  if (response !== null) return <span class="bad">{response.status}</span>
  return <span class="bad">{cause === null ? "No answer" : causeWords(cause)}</span>
}

/** The attempts of the current round on one axis, with the next one. */
const Rail = ({ of: delivery }: { readonly of: DeliveryDetail }) => {
  const { attempts_log, created_at, round } = delivery
  const marks = attemptMarks({
    ...delivery,
    attempts_log: attempts_log.filter((attempt) => attempt.round === round)
  })
  const [first] = marks
  if (first === undefined || marks.length < 2) return null
  const moments = [round === 1 ? Date.parse(created_at) : first.at, ...marks.map(({ at }) => at)]
  const rows = [{ key: "round", name: `Round ${round}`, bars: [], marks, end: "" }]
  const timeline = { axis: axisOf({ moments, busy: [], waits: [] }), rows }
  return (
    <>
      <TimelineChart of={timeline} chosen={undefined} onChoose={() => {}} />
      <TimelineLegend of={timeline} />
    </>
  )
}

const phaseShape = (name: string) => <rect class={`is-${name}`} width="12" height="12" rx="2" />

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`

const Phases = ({ of, slowest }: { readonly of: DeliveryAttempt; readonly slowest: number }) => (
  <svg class="phases" role="img" aria-label={phaseLabel(of)}>
    {phasesOf(of.timings_ms, slowest).map(({ from, name, width }) => (
      <rect key={name} class={`is-${name}`} x={percent(from)} width={percent(width)} height="12" />
    ))}
  </svg>
)

const phaseLabel = ({ timings_ms }: DeliveryAttempt): string =>
  phaseNames
    .flatMap((name) => {
      const ms = timings_ms[name]
      return ms === null ? [] : [`${phaseWords[name]} ${durationWords(ms)}`]
    })
    .join(", ") || "nothing was begun"

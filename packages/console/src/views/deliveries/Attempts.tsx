/** All attempts: on a time axis, and as a table with their phases. */
import type { DeliveryAttempt, DeliveryDetail } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { countOf, durationWords } from "../../format/Amounts.ts"
import { Card } from "../../parts/Card.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { axisOf, type Mark, phaseNames, phasesOf, phaseWords } from "./AttemptAxis.ts"
import { causeWords } from "./CauseWords.ts"

export interface AttemptsProps {
  readonly of: DeliveryDetail
  /** The attempt whose details are shown below. */
  readonly chosen: DeliveryAttempt | undefined
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
        <table>
          <caption class="hide">Attempts, newest first</caption>
          <thead>
            <tr>
              <th scope="col">No.</th>
              <th scope="col">Time</th>
              <th scope="col" class="p2">
                Phases
              </th>
              <th scope="col" class="end">
                Took
              </th>
              <th scope="col">Answer</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((attempt) => (
              <tr key={keyOf(attempt)} class={attempt === chosen ? "chosen" : undefined}>
                <th scope="row">
                  <a
                    href={pathTo(`/deliveries/${encodeURIComponent(delivery.id)}`, {
                      attempt: keyOf(attempt)
                    })}
                    aria-label={`Attempt ${numberOf(attempt)}`}
                    aria-current={attempt === chosen ? "true" : undefined}
                  >
                    {numberOf(attempt)}
                  </a>
                </th>
                <td>
                  <Moment at={attempt.started_at} isExact />
                </td>
                <td class="p2">
                  <Phases of={attempt} slowest={slowest} />
                </td>
                <td class="end num">{durationWords(attempt.duration_ms)}</td>
                <td>
                  <Answered of={attempt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="phase-key p2" aria-hidden="true">
        {phaseNames.map((name) => (
          <span key={name}>
            <svg viewBox="0 0 12 12">
              <rect class={`is-${name}`} width="12" height="12" rx="2" />
            </svg>{" "}
            {phaseWords[name]}
          </span>
        ))}
      </p>
      {hidden === 0 ? null : (
        <button type="button" class="bare" onClick={() => setWhole(true)}>
          Show the other {hidden}
        </button>
      )}
    </Card>
  )
}

/** Identifies an attempt in the address. */
export const keyOf = ({ number, round }: DeliveryAttempt): string => `${round}.${number}`

/** The round is only named from the second on, since most deliveries have one. */
export const numberOf = ({ number, round }: DeliveryAttempt): string =>
  round === 1 ? String(number) : `${round}.${number}`

const titleOf = ({ attempts_log }: DeliveryDetail): string => {
  const [first, last] = [attempts_log[0], attempts_log.at(-1)]
  if (first === undefined || last === undefined) return "No attempt yet"
  const count = countOf(attempts_log.length, "attempt")
  const span = Date.parse(last.started_at) - Date.parse(first.started_at)
  return attempts_log.length === 1 ? count : `${count} in ${durationWords(span)}`
}

const Answered = ({ of: { cause, error, response } }: { readonly of: DeliveryAttempt }) => {
  if (error === null) return <span class="good">{response?.status ?? "Delivered"}</span>
  if (response !== null) return <span class="bad">{response.status}</span>
  return <span class="bad">{cause === null ? "No answer" : causeWords(cause)}</span>
}

/** The attempts of the current round on the time axis. */
const Rail = ({ of: delivery }: { readonly of: DeliveryDetail }) => {
  const ofRound = delivery.attempts_log.filter(({ round }) => round === delivery.round)
  const first = ofRound[0]
  const next =
    delivery.state === "pending" && delivery.waiting_for !== "sending" ? delivery.next_attempt_at : null
  if (first === undefined || ofRound.length + (next === null ? 0 : 1) < 2) return null
  const from = Date.parse(delivery.round === 1 ? delivery.created_at : first.started_at)
  const { marks, ticks } = axisOf({
    from,
    tries: [
      ...ofRound.map(({ error, started_at }) => ({
        at: Date.parse(started_at),
        kind: error === null ? ("delivered" as const) : ("failed" as const)
      })),
      ...(next === null ? [] : [{ at: Date.parse(next), kind: "toCome" as const }])
    ]
  })
  return (
    <div class="attempt-axis">
      <svg role="img" aria-label={railWords(marks)}>
        <line x1="0" x2="100%" y1="50%" y2="50%" />
        {marks.map(({ kind, place }, at) => (
          <circle key={at} class={`is-${kind}`} cx={percent(place)} cy="50%" r="5" />
        ))}
      </svg>
      <svg class="ticks" aria-hidden="true">
        {ticks.map(({ place, words }) => (
          <text
            key={words}
            x={percent(place)}
            y="12"
            text-anchor={place > 0.95 ? "end" : place < 0.05 ? "start" : "middle"}
          >
            {words}
          </text>
        ))}
      </svg>
    </div>
  )
}

const railWords = (marks: ReadonlyArray<Mark>): string => {
  const count = (kind: Mark["kind"]) => marks.filter((mark) => mark.kind === kind).length
  return [`${count("failed")} failed`, `${count("delivered")} delivered`, `${count("toCome")} to come`]
    .filter((words) => !words.startsWith("0"))
    .join(", ")
}

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

/** The timeline as a table, with the same events and attempts. */
import type { ExecutionHistoryEvent, Json } from "@runhook/sdk/admin"
import { Moment } from "../../parts/Moment.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { eventsMax, type ExecutionData } from "./ExecutionData.ts"

const names: { readonly [type: string]: string } = {
  created: "Created",
  released: "Released",
  claimed: "Taken by a runner",
  given_back: "Given back",
  started: "Started",
  input_requested: "Asked for input",
  input_answered: "Input answered",
  requeued: "Back in the queue",
  rescheduled: "Moved in the queue",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
  aborted: "Aborted"
}

interface Line {
  readonly key: string
  readonly at: string
  readonly name: string
  readonly detail: string
}

export const HistoryTable = ({ of }: { readonly of: ExecutionData }) => {
  const lines = [...of.events.map(eventLine), ...attemptLines(of)].toSorted((one, other) =>
    one.at < other.at ? -1 : one.at > other.at ? 1 : 0
  )
  return (
    <details class="fold">
      <summary>As a table</summary>
      <table>
        <caption class="hide">What happened, oldest first</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">What</th>
            <th scope="col">Detail</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ at, detail, key, name }) => (
            <tr key={key}>
              <td>
                <Moment at={at} isExact />
              </td>
              <td>{name}</td>
              <td>
                <UntrustedText text={detail} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {of.events.length < eventsMax ? null : (
        <p class="quiet">Only its first {eventsMax} changes are shown. The API has all of them.</p>
      )}
    </details>
  )
}

const eventLine = ({ at, attempt, data, sequence, status, type }: ExecutionHistoryEvent): Line => ({
  key: `event ${sequence}`,
  at,
  name: names[type] ?? `Became ${status}`,
  detail: [type === "started" ? `attempt ${attempt}` : "", ...detailsOf(data)].filter(Boolean).join(", ")
})

const detailsOf = (data: Json): ReadonlyArray<string> => {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return []
  return Object.entries(data).flatMap(([name, value]) =>
    typeof value === "string" && !name.endsWith("_id") ? [value] : []
  )
}

const attemptLines = ({ deliveries }: ExecutionData): ReadonlyArray<Line> =>
  deliveries.flatMap(({ attempts_log, type }) =>
    attempts_log.map(({ error, number, response, round, started_at }) => ({
      key: `${type} ${round} ${number}`,
      at: started_at,
      name: `Callback ${type}`,
      detail: [
        `attempt ${number}`,
        response === null ? "no answer" : `answer ${response.status}`,
        error ?? ""
      ]
        .filter(Boolean)
        .join(", ")
    }))
  )

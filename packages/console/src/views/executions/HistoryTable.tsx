/** The timeline as a table, with the same events and attempts. */
import type { ExecutionHistoryEvent, Json } from "@runhook/sdk/admin"
import { isMembers } from "../../format/Json.ts"
import { sentenceCase } from "../../format/Amounts.ts"
import { type Column, Moment, Table, UntrustedText } from "../../parts/Parts.ts"
import { eventsMax, type ExecutionData } from "./ExecutionData.ts"

interface Line {
  readonly key: string
  readonly at: string
  readonly name: string
  readonly detail: string
}

const columns: ReadonlyArray<Column<Line>> = [
  { head: "Time", cell: ({ at }) => <Moment at={at} isExact /> },
  { head: "What", cell: ({ name }) => name },
  { head: "Detail", cell: ({ detail }) => <UntrustedText text={detail} /> }
]

export const HistoryTable = ({ of }: { readonly of: ExecutionData }) => {
  const lines = [...of.events.map(eventLine), ...attemptLines(of)].toSorted((one, other) =>
    one.at < other.at ? -1 : one.at > other.at ? 1 : 0
  )
  return (
    <details class="fold">
      <summary>As a table</summary>
      <Table label="What happened, oldest first" items={lines} idOf={({ key }) => key} columns={columns} />
      {of.events.length < eventsMax ? null : (
        <p class="quiet">Only its first {eventsMax} changes are shown. The API has all of them.</p>
      )}
    </details>
  )
}

const eventLine = ({ at, attempt, data, sequence, type }: ExecutionHistoryEvent): Line => ({
  key: `event ${sequence}`,
  at,
  name: sentenceCase(type),
  detail: [type === "started" ? `attempt ${attempt}` : "", ...detailsOf(data)].filter(Boolean).join(", ")
})

const detailsOf = (data: Json): ReadonlyArray<string> =>
  Object.entries(isMembers(data) ? data : {}).flatMap(([name, value]) =>
    typeof value === "string" && !name.endsWith("_id") ? [value] : []
  )

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

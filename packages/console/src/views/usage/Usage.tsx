/** Usage counts by hour or day, of the account, each key or each task. */
import { ChoiceField, type Column, EmptyState, Loaded, Table, ThingLink } from "../../parts/Parts.ts"
import { useFilters, useLoad } from "../../data/Data.ts"
import type { UsageReport, UsageTotal } from "@runhook/sdk/admin"
import { countWords, durationWords } from "../../format/Amounts.ts"
import { account } from "../../session/Session.ts"
import { Head, pathTo } from "../../shell/Shell.ts"
import { now } from "../../time/Clock.ts"
import { zone } from "../../time/Zone.ts"
import { Chart } from "../charts/Chart.tsx"
import { timeAxisOf } from "../charts/TimeAxis.ts"
import { groupOf, type Group, spanOf, spans, usageQueryOf } from "./UsageSpan.ts"

const load = async (
  { group, span }: { readonly group: Group; readonly span: string },
  signal: AbortSignal
) => {
  const options = { signal }
  const query = usageQueryOf(spanOf(span), now())
  const { usage } = account.value
  const [all, groups] = await Promise.all([
    usage.counted(query, options),
    group === "none" ? undefined : usage.counted({ ...query, group }, options)
  ])
  return { all, groups }
}

export const Usage = () => {
  const { filters, set } = useFilters("/usage", ["group", "span"])
  const span = spanOf(filters.span)
  const group = groupOf(filters.group)
  const loaded = useLoad(`usage ${span.name} ${group}`, (signal) => load({ group, span: span.name }, signal))
  return (
    <>
      <Head title="Usage">Close, but not exact enough for billing. Hours and days are in UTC.</Head>
      <div class="tools">
        <ChoiceField
          label="Time"
          value={span.name}
          onText={(name) => set({ span: name })}
          options={spans.map(({ name, words }) => [name, words])}
        />
        <ChoiceField
          label="Scope"
          value={group}
          onText={(name) => set({ group: name })}
          options={[
            ["none", "The account"],
            ["key", "Each key"],
            ["task", "Each task"]
          ]}
        />
      </div>
      <Loaded of={loaded} what="usage" lines={8}>
        {({ all, groups }) =>
          all.totals[0] === undefined ? (
            <EmptyState
              title="No usage yet"
              action={
                <a class="btn" href={pathTo("/tasks")}>
                  Run a task
                </a>
              }
            >
              No key was used and nothing ran in this period.
            </EmptyState>
          ) : (
            <div class="stack">
              <Charts of={all} total={all.totals[0]} />
              {groups === undefined ? null : <Groups of={groups} what={group === "key" ? "Key" : "Task"} />}
            </div>
          )
        }
      </Loaded>
    </>
  )
}

const Charts = ({ of, total }: { readonly of: UsageReport; readonly total: UsageTotal }) => {
  const axis = timeAxisOf(
    of.data.map(({ at }) => at),
    zone.value
  )
  return (
    <div class="charts">
      <Chart
        title="Executions"
        sub="created, and ended in whatever way"
        large={`${countWords(total.created)} created`}
        axis={axis}
        marks={[]}
        form="area"
        scale="count"
        words={countWords}
        lines={[
          { name: "Created", values: of.data.map(({ created }) => created) },
          {
            name: "Ended",
            values: of.data.map(
              ({ aborted, cancelled, completed, failed }) => aborted + cancelled + completed + failed
            ),
            isDashed: true
          }
        ]}
      />
      <Chart
        title="Requests of keys"
        large={countWords(total.requests ?? 0)}
        axis={axis}
        marks={[]}
        form="bars"
        scale="count"
        words={countWords}
        lines={[{ name: "Requests", values: of.data.map(({ requests }) => requests) }]}
      />
    </div>
  )
}

interface GroupsProps {
  readonly of: UsageReport
  readonly what: "Key" | "Task"
}

const Groups = ({ of, what }: GroupsProps) => (
  <>
    <Table
      label={`${what}s, the busiest first`}
      items={of.totals.toSorted((one, other) => busyness(other) - busyness(one))}
      idOf={groupId}
      columns={columnsOf(what)}
    />
    {of.is_more ? <p class="quiet">Older counts are left out: choose a shorter period.</p> : null}
  </>
)

const groupId = ({ key_id, task_id }: UsageTotal): string => key_id ?? task_id ?? ""

const columnsOf = (what: GroupsProps["what"]): ReadonlyArray<Column<UsageTotal>> => [
  {
    head: what,
    isRowHead: true,
    cell: (total) => <ThingLink of={`${what.toLowerCase()}s`} id={groupId(total)} />
  },
  ...(what === "Key"
    ? [{ head: "Requests", class: "end num p2", cell: (of: UsageTotal) => countWords(of.requests ?? 0) }]
    : []),
  { head: "Created", class: "end num", cell: ({ created }) => countWords(created) },
  { head: "Completed", class: "end num p2", cell: ({ completed }) => countWords(completed) },
  { head: "Failed", class: "end num", cell: ({ failed }) => countWords(failed) },
  { head: "Start, median", class: "end num p3", cell: ({ to_start_ms }) => latency(to_start_ms.p50) },
  { head: "Finish, median", class: "end num p3", cell: ({ to_finish_ms }) => latency(to_finish_ms.p50) },
  ...(what === "Key"
    ? [
        {
          head: "Delivered",
          class: "end num p2",
          cell: ({ callbacks }: UsageTotal) => countWords(callbacks?.delivered ?? 0)
        }
      ]
    : [])
]

const busyness = ({ created, requests }: UsageTotal): number => created + (requests ?? 0)

const latency = (ms: number | null): string => (ms === null ? "none" : durationWords(ms))

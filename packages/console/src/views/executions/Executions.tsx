/** Executions, newest first, with filters. */
import type { AdminExecution } from "@runhook/sdk/admin"
import { useFilters } from "../../data/useFilters.ts"
import { useList } from "../../data/useList.ts"
import { useLoad } from "../../data/useLoad.ts"
import { countWords, spanWords } from "../../format/Amounts.ts"
import { useLive } from "../../live/Live.ts"
import { Id } from "../../parts/Id.tsx"
import { List } from "../../parts/List.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { EmptyState } from "../../parts/EmptyState.tsx"
import { Status } from "../../parts/Status.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathOf, pathTo } from "../../shell/Paths.ts"
import { executionQuery, filterNames, tabbed } from "./ExecutionFilters.ts"
import { CallbackDots } from "./CallbackDots.tsx"
import { ExecutionFilterBar } from "./ExecutionFilterBar.tsx"

export const Executions = () => {
  const by = useFilters("/executions", filterNames)
  const { filters, href, isAny } = by
  const { executions, id: accountId } = account.value
  const list = useList<AdminExecution>({
    key: JSON.stringify([accountId, filters]),
    load: (where, signal) => executions.list({ ...executionQuery(filters), ...where }, { signal }).page(),
    idOf: ({ id }) => id,
    kind: "execution",
    one: async (id) => {
      const { execution_id, ...shown } = await executions.get(id)
      return { id: execution_id, ...shown }
    }
  })
  const counts = useCounts(accountId)
  return (
    <>
      <Head
        title="Executions"
        acts={
          <a class="btn first" href={pathTo("/tasks")}>
            Run a task
          </a>
        }
      />
      <nav class="tabs" aria-label="Status">
        <a href={href({ status: "" })} aria-current={filters.status === undefined ? "true" : undefined}>
          All
        </a>
        {tabbed.map(({ name, words }) => (
          <a
            key={name}
            href={href({ status: name })}
            aria-current={filters.status === name ? "true" : undefined}
          >
            {words}
            {counts[name] === undefined ? null : <span class="num">{counts[name]}</span>}
          </a>
        ))}
      </nav>
      <ExecutionFilterBar by={by} />
      <List
        of={list}
        one="execution"
        label="Executions, newest first"
        none={
          isAny ? (
            <NoMatch clear={pathTo("/executions")} all={href({ status: "" })} filters={filters} />
          ) : (
            nothing
          )
        }
        columns={columns}
      />
    </>
  )
}

const columns: Parameters<typeof List<AdminExecution>>[0]["columns"] = [
  { head: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    head: "Execution",
    isRowHead: true,
    cell: ({ id, task_name }) => (
      <>
        <a href={pathOf`/executions/${id}`}>
          <UntrustedText text={task_name} max={80} isBrief />
        </a>
        <span class="sub">
          <Id of={id} />
        </span>
      </>
    )
  },
  {
    head: "Reference",
    class: "p1",
    cell: ({ id, reference }) =>
      reference === id ? null : <UntrustedText text={reference} max={120} isBrief class="clip" />
  },
  {
    head: "Agent",
    class: "p3",
    cell: ({ agent_name }) =>
      agent_name === null ? (
        <span class="quiet">removed</span>
      ) : (
        <UntrustedText text={agent_name} max={60} isBrief class="clip" />
      )
  },
  { head: "Callbacks", class: "p2", cell: (execution) => <CallbackDots of={execution} /> },
  {
    head: "Took",
    class: "end num p3",
    cell: ({ started_at, stopped_at }) => spanWords(started_at, stopped_at)
  },
  { head: "Created", class: "end", cell: ({ created_at }) => <Moment at={created_at} /> }
]

const nothing = (
  <EmptyState
    title="No executions yet"
    action={
      <a class="btn first" href={pathTo("/tasks")}>
        Run a task
      </a>
    }
  >
    They appear when a system calls <code>POST /executions</code>, or when you run a task.
  </EmptyState>
)

interface NoMatchProps {
  readonly clear: string
  /** The list with the same filters, in every status. */
  readonly all: string
  readonly filters: { readonly status?: string; readonly reference?: string }
}

const NoMatch = ({ all, clear, filters: { reference, status } }: NoMatchProps) => (
  <EmptyState
    title={
      reference === undefined ? (
        "No execution matches"
      ) : (
        <>
          Nothing matches <UntrustedText text={reference} max={60} isBrief />
        </>
      )
    }
    action={
      <>
        {status === undefined ? null : (
          <a class="btn" href={all}>
            Search all states
          </a>
        )}
        <a class="btn" href={clear}>
          Clear filters
        </a>
      </>
    }
  >
    {reference === undefined ? "Nothing matches all of the filters." : "A reference must match in full."}
  </EmptyState>
)

/** Current counts by the name of the quick filter, for those that may need attention. */
const useCounts = (accountId: string): { readonly [name: string]: string | undefined } => {
  const { data, reload } = useLoad(`counts ${accountId}`, (signal) =>
    account.value.usage.overview({ signal })
  )
  useLive("execution", reload)
  if (data === undefined) return {}
  const words = (count: number) => (count === 0 ? undefined : countWords(count))
  return {
    awaiting_input: words(data.needs_input),
    running: words(data.running),
    queued: words(data.queued)
  }
}

/** Executions, newest first, with filters. */
import { type AdminCancelFilter, type AdminExecution, isFinished } from "@runhook/sdk/admin"
import { useFollowed } from "../../data/Followed.ts"
import { Kept, type KeptList, useFilters, useList, useNames } from "../../data/Data.ts"
import { countWords, sentenceCase, spanWords } from "../../format/Amounts.ts"
import { AttemptDots, EmptyState, FilterBar, Id, List, Moment, NameLink, NoMatch } from "../../parts/Parts.ts"
import { Status, UntrustedText } from "../../parts/Parts.ts"
import { useView } from "../../parts/ViewMenu.tsx"
import type { BulkAct } from "../../parts/bulk/Bulk.ts"
import { account } from "../../session/Session.ts"
import { counts } from "../../shell/DeadCount.tsx"
import { Head, pathOf, pathTo } from "../../shell/Shell.ts"
import { callbackMarks } from "./Callbacks.ts"
import { executionQuery, filterNames, filtersWith } from "./ExecutionFilters.ts"
import { CancelMany } from "./CancelMany.tsx"
import { excerpts, foundIn, isFound, soughtOf } from "./Excerpt.ts"

/** Executions of a page that is looked through. */
const lookedAtOnce = 100

const kept = new Kept<KeptList<AdminExecution>>()

const runTask = (
  <a class="btn first" href={pathTo("/tasks")}>
    Run a task
  </a>
)

export const Executions = () => {
  const by = useFilters("/executions", filterNames)
  const { filters } = by
  const { executions, id: accountId } = account.value
  const { contains } = filters
  const query = executionQuery(filters)
  const sought = contains === undefined ? undefined : soughtOf(contains)
  const list = useList<AdminExecution>({
    kept,
    key: JSON.stringify([accountId, filters]),
    load: async (where, signal) => {
      const asked = { ...query, limit: sought && lookedAtOnce, ...where }
      const page = await executions.list(asked, { signal }).page()
      return sought ? foundIn(page, sought) : page
    },
    idOf: ({ id }) => id,
    kind: "execution",
    createdAt: (row) => row.created_at,
    one: async (id) => {
      const { execution_id, ...shown } = await executions.get(id)
      const execution = { id: execution_id, ...shown }
      if (sought) isFound(execution, sought)
      return execution
    }
  })
  const names = useNames()
  const view = useView("executions", columns)
  return (
    <>
      <Head title="Executions" acts={runTask} />
      <FilterBar by={by} of={filtersWith(names.data, countsOf(useFollowed(counts)))}>
        {view.menu}
      </FilterBar>
      <List
        of={list}
        one="execution"
        label="Executions, newest first"
        none={
          by.isAny ? (
            <NoMatch by={by} text={contains === undefined ? "find" : "contains"} tab="status">
              {contains === undefined
                ? "References and ids are found by their beginning."
                : "All were looked through. Secrets are not found."}
            </NoMatch>
          ) : (
            nothing
          )
        }
        columns={view.columns}
        acts={actsOf(query)}
      />
    </>
  )
}

const columns: Parameters<typeof List<AdminExecution>>[0]["columns"] = [
  { head: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    head: "Execution",
    isRowHead: true,
    cell: ({ error_message, id, task_name }) => (
      <>
        <NameLink href={pathOf`/executions/${id}`} text={task_name} max={80} />{" "}
        {error_message === null ? null : (
          <UntrustedText class="clip sub" text={error_message} max={80} isBrief />
        )}
      </>
    ),
    sub: (execution) => {
      const excerpt = excerpts.get(execution)
      return (
        excerpt && (
          <>
            {sentenceCase(excerpt.where)}: <UntrustedText text={excerpt.before} />
            <mark>
              <UntrustedText text={excerpt.found} />
            </mark>
            <UntrustedText text={excerpt.after} />
          </>
        )
      )
    }
  },
  { head: "Id", class: "p3", cell: ({ id }) => <Id of={id} /> },
  {
    head: "Reference",
    class: "p1",
    cell: ({ id, reference }) =>
      reference === id ? null : <UntrustedText text={reference} max={120} isBrief class="clip" />
  },
  {
    head: "Agent",
    class: "p3",
    cell: ({ agent_name }) => agent_name && <UntrustedText text={agent_name} max={60} isBrief class="clip" />,
    none: "removed"
  },
  {
    head: "Callbacks",
    class: "p2",
    cell: (of) => of.callback_url && <AttemptDots {...callbackMarks(of)} />,
    none: "none"
  },
  {
    head: "Took",
    class: "end num p3",
    cell: ({ started_at, stopped_at }) => spanWords(started_at, stopped_at)
  },
  { head: "Created", class: "end", cell: ({ created_at }) => <Moment at={created_at} /> }
]

const actsOf = (filter: AdminCancelFilter): ReadonlyArray<BulkAct<AdminExecution>> => [
  {
    title: "Run again",
    can: () => true,
    act: ({ id }) => account.value.executions.rerun(id, { version: "same" }),
    text: "Each becomes a new execution with the same version, params, reference and callback URL.",
    left: ""
  },
  {
    title: "Cancel",
    can: (execution) => !isFinished(execution),
    act: ({ id }) => account.value.executions.cancel(id, {}),
    text: "Side effects of the work are not undone.",
    left: "have ended, and stay as they are",
    isRisk: true,
    all: (onClose) => <CancelMany filter={filter} onClose={onClose} />
  }
]

const nothing = (
  <EmptyState title="No executions yet" action={runTask}>
    They appear when a system calls <code>POST /executions</code>, or when you run a task.
  </EmptyState>
)

/** Current counts by the name of the quick filter, for those that may need attention. */
const countsOf = (now: typeof counts.value): { readonly [name: string]: string | undefined } => {
  const words = (count = 0) => (count === 0 ? undefined : countWords(count))
  return { awaiting_input: words(now?.needs_input), running: words(now?.running), queued: words(now?.queued) }
}

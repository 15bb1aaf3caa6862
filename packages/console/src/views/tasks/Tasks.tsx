/** The tasks of the account. */
import type { Task } from "@runhook/sdk/admin"
import { Kept, type KeptList, useRows } from "../../data/Data.ts"
import { type Column, EmptyState, List, Moment, NameLink, Status, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { Head, pathOf, pathTo } from "../../shell/Shell.ts"

const NewTaskLink = () => (
  <a class="btn first" href={pathTo("/tasks/new")}>
    New task
  </a>
)

const columns: ReadonlyArray<Column<Task>> = [
  {
    head: "Task",
    isRowHead: true,
    cell: ({ id, name }) => <NameLink href={pathOf`/tasks/${id}`} text={name} />,
    sub: ({ slug }) => <code>{slug}</code>
  },
  { head: "State", cell: ({ enabled }) => <Status of={enabled ? "active" : "disabled"} /> },
  { head: "Current", class: "p1", cell: (task) => <Current task={task} /> },
  {
    head: "Platforms",
    class: "p2",
    cell: ({ platforms }) =>
      platforms.length > 0 && <UntrustedText text={platforms.map(({ name }) => name).join(", ")} />,
    none: "none"
  },
  { head: "Changed", class: "end p2", cell: ({ updated_at }) => <Moment at={updated_at} /> }
]

const kept = new Kept<KeptList<Task>>()

export const Tasks = () => {
  const list = useRows<Task>(account.value.tasks, { kept, kind: "task" })
  return (
    <>
      <Head title="Tasks" acts={<NewTaskLink />}>
        What can be run, in versions. Callers name a task; runners do its work.
      </Head>
      <List
        of={list}
        one="task"
        label="Tasks, newest first"
        none={
          <EmptyState title="No tasks yet" action={<NewTaskLink />}>
            Work is described by a task and done by an agent's runner.
          </EmptyState>
        }
        columns={columns}
      />
    </>
  )
}

const Current = ({ task: { current_version, latest_version } }: { readonly task: Task }) => {
  if (current_version === null)
    return <span class="quiet">{latest_version === null ? "no version" : "none is current"}</span>
  const isBehind = latest_version !== null && latest_version.number > current_version.number
  return (
    <>
      <span class="num">version {current_version.number}</span>
      {isBehind ? (
        <>
          {" "}
          <span class="tag">{[...latest_version.tags, String(latest_version.number)].join(" ")}</span>
        </>
      ) : null}
    </>
  )
}

/** The schedules of the account: when they are due, and what came of the last due time. */
import type { Schedule } from "@runhook/sdk/admin"
import { Kept, type KeptList, useRows } from "../../data/Data.ts"
import { type Column, EmptyState, List, Moment, NameLink, Opener, Status } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { Head, pathOf, useLocation } from "../../shell/Shell.ts"
import { ScheduleForm } from "./ScheduleForm.tsx"
import { outcomeOf, timingWords } from "./ScheduleWords.ts"
import { Week } from "./Week.tsx"

export const LastOutcome = ({ of: { last } }: { readonly of: Schedule }) => {
  if (last === null) return <span class="quiet">never</span>
  const [look, word] = outcomeOf(last.outcome)
  return <Status of={look} word={word} />
}

const columns: ReadonlyArray<Column<Schedule>> = [
  { head: "State", cell: ({ enabled }) => <Status of={enabled ? "active" : "paused"} /> },
  {
    head: "Schedule",
    isRowHead: true,
    cell: ({ id, name }) => <NameLink href={pathOf`/schedules/${id}`} text={name} />
  },
  {
    head: "When",
    class: "p1 line",
    cell: timingWords,
    sub: ({ time_zone }) => time_zone
  },
  { head: "Last outcome", class: "p1", cell: (schedule) => <LastOutcome of={schedule} /> },
  { head: "Next due", class: "end", cell: ({ next_at }) => <Moment at={next_at[0]} /> }
]

const kept = new Kept<KeptList<Schedule>>()

export const Schedules = () => {
  const { route } = useLocation()
  const list = useRows<Schedule>(account.value.schedules, { kept, kind: "schedule" })
  const make = (
    <Opener kind="first" word="New schedule" onDone={({ id }: Schedule) => route(pathOf`/schedules/${id}`)}>
      {(dialog) => <ScheduleForm {...dialog} />}
    </Opener>
  )
  return (
    <>
      <Head title="Schedules" acts={make}>
        Executions that are created again and again, in the name of a key.
      </Head>
      <List
        of={list}
        one="schedule"
        label="Schedules, newest first"
        none={
          <EmptyState title="No schedules yet" action={make}>
            A schedule creates an execution at each of its due times.
          </EmptyState>
        }
        columns={columns}
      />
      {list.rows.length === 0 ? null : <Week of={list.rows} />}
    </>
  )
}

/** A calendar of all schedules: what came of their runs in the last days, and when they are due in the next. */
import type { Schedule } from "@runhook/sdk/admin"
import { useFollowed } from "../../data/Followed.ts"
import { useLive, useLoad } from "../../data/Data.ts"
import { shortWords, weekdayWords } from "../../format/Moments.ts"
import { type Column, Loaded, NameLink, Section, Status, Table } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { pathOf, pathTo } from "../../shell/Shell.ts"
import { now } from "../../time/Clock.ts"
import { zone, zoneName } from "../../time/Zone.ts"
import "./week.css"
import { type DayEntry, dayStart, daysAround, toldMax, type WeekDay, weekOf } from "./WeekDays.ts"

/** Executions that are looked through for those of schedules: one call, however many schedules there are. */
const lookedAt = 200

/** Runs of a schedule on one day that are shown. */
const shownMax = 5

export const Week = ({ of: schedules }: { readonly of: ReadonlyArray<Schedule> }) => {
  const shownZone = useFollowed(zone)
  const { executions, id } = account.value
  const runs = useLoad(`runs of a week ${id} ${shownZone}`, (signal) => {
    const from = dayStart(now(), shownZone, -daysAround).toISOString()
    return executions.list({ from, limit: lookedAt }, { signal }).page()
  })
  // A schedule that was due says so itself; of executions, only those that are shown count.
  useLive(["schedule", "execution"], (changes) => {
    const shown = runs.data?.data.filter((run) => run.schedule_id !== null) ?? []
    if (
      changes?.every((each) => each.kind === "execution" && !shown.some((run) => run.id === each.id)) !== true
    )
      runs.reload()
  })
  return (
    <Section title="Last and next seven days">
      <Loaded of={runs} what="list of runs">
        {({ data, next_cursor }) => (
          <>
            <Table
              label={`Schedules by day, in ${zoneName(shownZone)}`}
              class="week"
              items={weekOf(schedules, data, { now: now(), zone: shownZone })}
              idOf={({ by }) => String(by)}
              columns={columns}
            />
            <p class="small quiet">
              Days and times in {zoneName(shownZone)}. Of each schedule the next {toldMax} due times are
              known.
              {next_cursor === null
                ? ""
                : ` Runs are those among the newest ${lookedAt} executions of the account: there may be more.`}
            </p>
          </>
        )}
      </Loaded>
    </Section>
  )
}

const columns: ReadonlyArray<Column<WeekDay>> = [
  {
    head: "Day",
    isRowHead: true,
    class: "line",
    cell: ({ at, by }) => (
      <>
        {weekdayWords(at, zone.value)} {by === 0 ? <span class="tag">today</span> : null}
      </>
    )
  },
  {
    head: "Schedules",
    none: "none",
    cell: ({ entries }) =>
      entries.length > 0 && (
        <ul>
          {entries.map((entry) => (
            <li key={entry.id}>
              <NameLink href={pathOf`/schedules/${entry.id}`} text={entry.name} max={60} />
              <Runs of={entry} />
              <Due of={entry} />
            </li>
          ))}
        </ul>
      )
  }
]

const timeOf = (at: string): string => shortWords(new Date(at), { zone: zone.value, isTime: true })

const Runs = ({ of: { id, runs } }: { readonly of: DayEntry }) => (
  <>
    {runs.slice(-shownMax).map((run) => (
      <a key={run.id} href={pathOf`/executions/${run.id}`}>
        {timeOf(run.created_at)} <Status of={run.status} />
      </a>
    ))}
    {runs.length > shownMax ? (
      <a href={pathTo("/executions", { schedule: id })}>{runs.length - shownMax} before</a>
    ) : null}
  </>
)

const Due = ({ of: { due, goesOn } }: { readonly of: DayEntry }) =>
  due.length === 0 ? null : (
    <span class="num">
      due {due.map(timeOf).join(", ")}
      {goesOn ? " …" : ""}
    </span>
  )

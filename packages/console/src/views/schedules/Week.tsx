/** A calendar of all schedules: what came of their runs in the last days, and when they are due in the next. */
import type { Schedule } from "@runhook/sdk/admin"
import { useRef } from "preact/hooks"
import { useFollowed } from "../../data/Followed.ts"
import { type Resource, useLive, useLoad } from "../../data/Data.ts"
import { shortWords, weekdayWords } from "../../format/Moments.ts"
import { type Column, Loaded, NameLink, Section, Status, Table } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { pathOf, pathTo } from "../../shell/Shell.ts"
import { now } from "../../time/Clock.ts"
import { zone, zoneName } from "../../time/Zone.ts"
import "./week.css"
import { type DayEntry, daysAround, type Ran, toldMax, type WeekDay, weekOf } from "./WeekDays.ts"

/** Executions of all schedules together that are asked for first: mostly there are no more. */
const togetherMax = 200

/** Runs of one schedule that are asked for where there are. */
const eachMax = 50

/** Schedules that are shown, and how many are asked about at once. */
const schedulesMax = 50
const atOnce = 4

/** Runs of a schedule on one day that are shown. */
const shownMax = 5

/** Before the first day, in any zone. */
const beginning = () => new Date(now() - (daysAround + 2) * 86_400_000).toISOString()

type Runs = ReadonlyMap<string, Ran>

/** Asks for the runs of each of the schedules. */
const runsOfEach = async (ids: ReadonlyArray<string>, signal: AbortSignal): Promise<Runs> => {
  const { executions } = account.value
  const [found, left, from] = [new Map<string, Ran>(), [...ids], beginning()]
  const askNext = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const filter = { schedule_id: id, from, limit: eachMax }
      const { data, next_cursor } = await executions.list(filter, { signal }).page()
      found.set(id, { runs: data, isMore: next_cursor !== null })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, askNext))
  return found
}

/** Asks for the runs of all of them at once, and of each where these are many. */
const runsOfAll = async (ids: ReadonlyArray<string>, signal: AbortSignal): Promise<Runs> => {
  const { executions } = account.value
  const { data, next_cursor } = await executions
    .list({ from: beginning(), limit: togetherMax }, { signal })
    .page()
  if (next_cursor !== null) return runsOfEach(ids, signal)
  return new Map(ids.map((id) => [id, { runs: data.filter((run) => run.schedule_id === id), isMore: false }]))
}

export const Week = ({ of }: { readonly of: ReadonlyArray<Schedule> }) => {
  const shownZone = useFollowed(zone)
  const schedules = of.slice(0, schedulesMax)
  const ids = schedules.map(({ id }) => id)
  /** Of which only they are asked for again; undefined: all. */
  const changed = useRef<ReadonlyArray<string>>(undefined)
  const loaded: Resource<Runs> = useLoad(`runs of ${ids.join()}`, async (signal) => {
    const [before, other] = [loaded.data, changed.current]
    changed.current = undefined
    return before && other
      ? new Map([...before, ...(await runsOfEach(other, signal))])
      : runsOfAll(ids, signal)
  })
  // A schedule that was due says so itself; of executions, only those that are shown count.
  useLive(["schedule", "execution"], async (changes) => {
    const { data, reload } = loaded
    const told = changes && data && new Set(changes.map(({ id }) => id))
    changed.current =
      told && ids.filter((id) => told.has(id) || data?.get(id)?.runs.some((run) => told.has(run.id)))
    if (changed.current?.length !== 0) await reload()
  })
  return (
    <Section title="Last and next seven days">
      <Loaded of={loaded} what="list of runs" lines={26}>
        {(runs) => (
          <>
            <Table
              label={`Schedules by day, in ${zoneName(shownZone)}`}
              class="week"
              items={weekOf(schedules, runs, { now: now(), zone: shownZone })}
              idOf={({ by }) => String(by)}
              columns={columns}
            />
            <p class="small quiet">
              Days and times in {zoneName(shownZone)}. Of each schedule the next {toldMax} due times are
              known.
              {of.length > schedulesMax ? ` Only the first ${schedulesMax} schedules listed are in it.` : ""}
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
    cell: ({ at, end, entries }) =>
      entries.length > 0 && (
        <ul>
          {entries.map((entry) => (
            <li key={entry.id}>
              <NameLink href={pathOf`/schedules/${entry.id}`} text={entry.name} max={60} />
              <RunsOfDay of={entry} from={at} to={end} />
              <Due of={entry} />
            </li>
          ))}
        </ul>
      )
  }
]

const timeOf = (at: string): string => shortWords(new Date(at), { zone: zone.value, isTime: true })

interface RunsOfDayProps {
  readonly of: DayEntry
  readonly from: Date
  readonly to: Date
}

const RunsOfDay = ({ from, of: { id, isCut, runs }, to }: RunsOfDayProps) => {
  const before = runs.length - shownMax
  const day = { schedule: id, from: from.toISOString(), to: to.toISOString() }
  return (
    <>
      {runs.slice(-shownMax).map((run) => (
        <a key={run.id} href={pathOf`/executions/${run.id}`}>
          {timeOf(run.created_at)} <Status of={run.status} />
        </a>
      ))}
      {isCut ? (
        <a href={pathTo("/executions", day)}>{runs.length === 0 ? "Runs of this day" : "More before"}</a>
      ) : before > 0 ? (
        <a href={pathTo("/executions", day)}>{before} before</a>
      ) : null}
    </>
  )
}

const Due = ({ of: { due, goesOn } }: { readonly of: DayEntry }) =>
  due.length === 0 ? null : (
    <span class="num">
      due {due.map(timeOf).join(", ")}
      {goesOn ? " …" : ""}
    </span>
  )

/** One schedule: its next due times, what came of the last ones, and how to pause, change or remove it. */
import type { AdminExecution, Schedule as ScheduleFacts } from "@runhook/sdk/admin"
import { Kept } from "../../data/Kept.ts"
import { useAction } from "../../data/useAction.ts"
import { useLoad } from "../../data/useLoad.ts"
import { countOf, durationWords, spanWords } from "../../format/Amounts.ts"
import { plainWords } from "../../format/Hidden.ts"
import { urlWords } from "../../format/Ids.ts"
import { useLive } from "../../live/Live.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Facts } from "../../parts/Facts.tsx"
import { Id } from "../../parts/Id.tsx"
import { JsonTree } from "../../parts/JsonTree.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { Note } from "../../parts/Note.tsx"
import { AskButton, Opener } from "../../parts/Opener.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { Status } from "../../parts/Status.tsx"
import { type Column, Table } from "../../parts/Table.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { Detail } from "../../shell/Detail.tsx"
import { useLocation } from "../../shell/Location.ts"
import { pathOf, pathTo } from "../../shell/Paths.ts"
import { zone, zoneName } from "../../time/Zone.ts"
import { KeyLink } from "../keys/KeyLink.tsx"
import { useNames } from "../keys/useNames.ts"
import { ScheduleForm } from "./ScheduleForm.tsx"
import { LastOutcome } from "./Schedules.tsx"
import { byDay, missedPolicies, overlaps, timingWords, wordOf } from "./ScheduleWords.ts"

const kept = new Kept<ScheduleFacts>()

const all = { href: pathTo("/schedules"), words: "Schedules" }

/** Its latest executions that are shown. */
const runsMax = 10

export const Schedule = ({ id }: { readonly id: string }) => {
  const { route } = useLocation()
  const { executions, schedules } = account.value
  const loaded = useLoad(`schedule ${id}`, (signal) => schedules.get(id, { signal }), kept)
  const runs = useLoad(`runs of ${id}`, (signal) =>
    executions.list({ schedule_id: id, limit: runsMax }, { signal }).page()
  )
  const { set } = loaded
  const turn = useAction((enabled: boolean) => schedules.update(id, { enabled }), set)
  const trigger = useAction(() => schedules.trigger(id), runs.reload)
  useLive({ kind: "schedule", id }, loaded.reload)
  useLive("execution", runs.reload)
  return (
    <Detail
      id={id}
      of={loaded}
      what="schedule"
      all={all}
      head={(of) => ({
        title: plainWords(of.name),
        heading: (
          <>
            <UntrustedText text={of.name} isBrief /> <Status of={of.enabled ? "active" : "paused"} />
          </>
        ),
        acts: (
          <>
            <Button kind="first" isChange isRunning={trigger.isRunning} onPress={trigger.run}>
              Trigger now
            </Button>
            <Button isChange isRunning={turn.isRunning} onPress={() => turn.run(!of.enabled)}>
              {of.enabled ? "Pause" : "Resume"}
            </Button>
            <Opener word="Change…">
              {(close) => (
                <ScheduleForm
                  of={of}
                  onClose={close}
                  onDone={(changed) => {
                    close()
                    set(changed)
                  }}
                />
              )}
            </Opener>
            <AskButton
              kind="risk"
              word="Remove"
              title="Remove this schedule"
              act={() => schedules.remove(id)}
              onDone={() => route(all.href)}
            >
              <p>
                {of.next_at[0] === undefined ? (
                  "It is not due again. "
                ) : (
                  <>
                    It is due {timingWords(of)}, next at <Moment at={of.next_at[0]} />: nothing is created
                    then.{" "}
                  </>
                )}
                {countOf(runs.data?.data.length ?? 0, "execution")}
                {runs.data?.next_cursor ? " and more" : ""} that it created{" "}
                {runs.data?.data.length === 1 ? "stays" : "stay"}. To stop it for a while, pause it.
              </p>
            </AskButton>
          </>
        ),
        children: timingWords(of)
      })}
    >
      {(of) => (
        <div class="cols">
          <div class="stack">
            <Outcome problem={trigger.problem ?? turn.problem}>
              {trigger.done === undefined ? null : (
                <Note tone="good" title="Queued">
                  <p>
                    <a href={pathOf`/executions/${trigger.done.execution_id}`}>Open the execution</a>
                  </p>
                </Note>
              )}
            </Outcome>
            {of.last?.error ? (
              <Note tone="bad" title="The last due time created nothing">
                <p>
                  At <Moment at={of.last.at} /> it was refused: <UntrustedText text={of.last.error.message} />
                </p>
              </Note>
            ) : null}
            <Card title="Next due times">
              {of.next_at.length === 0 ? (
                <p class="quiet">{of.enabled ? "It is not due again." : "None while it is paused."}</p>
              ) : (
                <Table
                  label="Next due times by day"
                  items={byDay(of.next_at, of.time_zone ?? zoneName(zone.value))}
                  idOf={([day]) => day}
                  columns={dayColumns}
                />
              )}
              <p class="small quiet">In {of.time_zone ?? zoneName(zone.value)}, without jitter.</p>
            </Card>
            <Card title="Last executions">
              {runs.data === undefined || runs.data.data.length === 0 ? (
                <p class="quiet">None yet.</p>
              ) : (
                <>
                  <Table
                    label="Its latest executions"
                    class="list"
                    items={runs.data.data}
                    idOf={({ id: run }) => run}
                    columns={runColumns}
                  />
                  <p>
                    <a href={pathTo("/executions", { schedule: id })}>All of its executions</a>
                  </p>
                </>
              )}
            </Card>
          </div>
          <aside class="stack" aria-label="Facts">
            <FactsOf of={of} />
            <Card title="Params">
              <JsonTree of={of.execution.params} name="the params" />
            </Card>
          </aside>
        </div>
      )}
    </Detail>
  )
}

type Day = ReturnType<typeof byDay>[number]

const dayColumns: ReadonlyArray<Column<Day>> = [
  { head: "Day", isRowHead: true, cell: ([day]) => day },
  { head: "Times", class: "num", cell: ([, times]) => times.join(", ") }
]

const runColumns: ReadonlyArray<Column<AdminExecution>> = [
  { head: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    head: "Created",
    isRowHead: true,
    cell: ({ created_at, id }) => (
      <a href={pathOf`/executions/${id}`}>
        <Moment at={created_at} />
      </a>
    )
  },
  { head: "Took", class: "end num", cell: ({ started_at, stopped_at }) => spanWords(started_at, stopped_at) }
]

const FactsOf = ({ of }: { readonly of: ScheduleFacts }) => {
  const { agent_id, callback_url, task_id } = of.execution
  const { agents, tasks } = useNames().data ?? {}
  return (
    <Card title="Facts">
      <Facts
        of={{
          When: of.cron === null ? timingWords(of) : <code>{of.cron}</code>,
          "Time zone": of.time_zone,
          "Last due": of.last && (
            <>
              <LastOutcome of={of} /> <Moment at={of.last.at} />
            </>
          ),
          "While one is unfinished": wordOf(of.overlap, overlaps),
          "After an outage": wordOf(of.missed, missedPolicies),
          Jitter: of.jitter_seconds === 0 ? null : durationWords(of.jitter_seconds * 1_000),
          "Not before": of.starts_at && <Moment at={of.starts_at} />,
          "Not after": of.ends_at && <Moment at={of.ends_at} />,
          Task: task_id && (
            <a href={pathOf`/tasks/${task_id}`}>
              <Named id={task_id} of={tasks} />
            </a>
          ),
          Agent: (
            <a href={pathOf`/agents/${agent_id}`}>
              <Named id={agent_id} of={agents} />
            </a>
          ),
          Key: <KeyLink id={of.key_id} />,
          "Callback URL": callback_url === null ? "none" : <UntrustedText text={urlWords(callback_url)} />,
          Created: <Moment at={of.created_at} />,
          Id: <Id of={of.id} isWhole />
        }}
      />
    </Card>
  )
}

interface NamedProps {
  readonly id: string
  readonly of: ReadonlyArray<{ readonly id: string; readonly name: string }> | undefined
}

/** A thing by its name, once that is known. */
const Named = ({ id, of }: NamedProps) => {
  const name = of?.find((each) => each.id === id)?.name
  return name === undefined ? <Id of={id} /> : <UntrustedText text={name} isBrief max={60} />
}

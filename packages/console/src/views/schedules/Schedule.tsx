/** One schedule: its next due times, what came of the last ones, and how to pause, change or remove it. */
import { Detail, headOf, pathOf, pathTo, useLocation } from "../../shell/Shell.ts"
import { AskButton, Button, Card, type Column, FactsCard, JsonTree, Latest } from "../../parts/Parts.ts"
import { Moment, Note, Opener, Outcome, Queued, Status, Table, ThingLink } from "../../parts/Parts.ts"
import { UntrustedText, WholeId } from "../../parts/Parts.ts"
import type { AdminExecution, Schedule as ScheduleFacts } from "@runhook/sdk/admin"
import { Kept, useAction, useLive, useLoad } from "../../data/Data.ts"
import { durationWords, spanWords } from "../../format/Amounts.ts"
import { urlWords } from "../../format/Ids.ts"
import { account } from "../../session/Session.ts"
import { zone, zoneName } from "../../time/Zone.ts"
import { ScheduleForm } from "./ScheduleForm.tsx"
import { LastOutcome } from "./Schedules.tsx"
import { byDay, missedPolicies, overlaps, timingWords, wordOf } from "./ScheduleWords.ts"

const kept = new Kept<ScheduleFacts>()

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
      head={(of) => ({
        ...headOf(of.name, of.enabled ? "active" : "paused"),
        acts: (
          <>
            <Button kind="first" isChange action={trigger}>
              Trigger now
            </Button>
            <Button isChange isRunning={turn.isRunning} onPress={() => turn.run(!of.enabled)}>
              {of.enabled ? "Pause" : "Resume"}
            </Button>
            <Opener word="Change…" onDone={set}>
              {(dialog) => <ScheduleForm of={of} {...dialog} />}
            </Opener>
            <AskButton
              kind="risk"
              word="Remove"
              title="Remove this schedule"
              act={() => schedules.remove(id)}
              onDone={() => route(pathTo("/schedules"))}
            >
              {of.next_at[0] === undefined ? (
                "It is not due again. "
              ) : (
                <>
                  It is due {timingWords(of)}, next at <Moment at={of.next_at[0]} />: nothing is created
                  then.{" "}
                </>
              )}
              Executions that it created stay. To stop it for a while, pause it.
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
                <Queued
                  title="Queued"
                  href={pathOf`/executions/${trigger.done.execution_id}`}
                  what="execution"
                />
              )}
            </Outcome>
            {of.last?.error ? (
              <Note tone="bad" title="The last due time created nothing">
                At <Moment at={of.last.at} /> it was refused: <UntrustedText text={of.last.error.message} />
              </Note>
            ) : null}
            <Card title="Next due times">
              <Table
                label="Next due times by day"
                items={byDay(of.next_at, of.time_zone ?? zoneName(zone.value))}
                idOf={([day]) => day}
                columns={dayColumns}
                none={<p class="quiet">{of.enabled ? "It is not due again." : "None while it is paused."}</p>}
              />
              <p class="small quiet">In {of.time_zone ?? zoneName(zone.value)}, without jitter.</p>
            </Card>
            <Latest
              many="executions"
              of={runs}
              columns={runColumns}
              all={pathTo("/executions", { schedule: id })}
            />
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
  return (
    <FactsCard
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
        Task: task_id && <ThingLink of="tasks" id={task_id} />,
        Agent: <ThingLink of="agents" id={agent_id} />,
        Key: <ThingLink of="keys" id={of.key_id} />,
        "Callback URL": callback_url === null ? "none" : <UntrustedText text={urlWords(callback_url)} />,
        Created: <Moment at={of.created_at} />,
        Id: <WholeId of={of.id} />
      }}
    />
  )
}

/** One execution: first its problems, then its question, progress, timeline and result. */
import { Detail, headOf, pathOf, useLocation } from "../../shell/Shell.ts"
import { type AdminExecutionDetail, isFinished, type Progress } from "@runhook/sdk/admin"
import { useId, useMemo } from "preact/hooks"
import { Kept, useLive, useLoad } from "../../data/Data.ts"
import { durationWords, spanWords } from "../../format/Amounts.ts"
import { Card, Id, JsonTree, Moment, Note, UntrustedText } from "../../parts/Parts.ts"
import { useNow } from "../../time/useNow.ts"
import { ExecutionActions } from "./ExecutionActions.tsx"
import "./execution.css"
import { ExecutionFacts } from "./ExecutionFacts.tsx"
import { Holders } from "./Holders.tsx"
import { HistoryTable } from "./HistoryTable.tsx"
import "./log.css"
import { LogCard } from "./LogCard.tsx"
import { Files, Pictures } from "./Artifacts.tsx"
import { SentenceText } from "../deliveries/SentenceText.tsx"
import { Question } from "./Question.tsx"
import { TimelineChart, TimelineLegend } from "./TimelineChart.tsx"
import { isOpen, type ExecutionData, loadExecution } from "./ExecutionData.ts"
import { warningsOf } from "./Warnings.ts"
import { timelineOf } from "./Timeline.ts"

const kept = new Kept<ExecutionData>()

export const Execution = ({ id }: { readonly id: string }) => {
  const loaded = useLoad(`execution ${id}`, (signal) => loadExecution(id, signal), kept)
  const { data, reload } = loaded
  // Which callbacks are its own is not known before it is loaded, and they go out meanwhile.
  useLive([{ kind: "execution", id }, "delivery"], async (changes) => {
    const own = data && [id, ...data.execution.callbacks.map(({ event_id }) => event_id)]
    if (changes?.some((each) => own?.includes(each.id) !== false) !== false) await reload()
  })
  return (
    <Detail id={id} of={loaded} what="execution" head={({ execution }) => executionHead(execution, reload)}>
      {(of) => <Shown of={of} onChanged={reload} />}
    </Detail>
  )
}

const executionHead = (of: AdminExecutionDetail, onChanged: () => void) => {
  const took = spanWords(of.started_at, of.stopped_at)
  return {
    ...headOf(of.task_name, of.status),
    crumb:
      of.reference === of.execution_id ? (
        <Id of={of.execution_id} />
      ) : (
        <UntrustedText text={of.reference} max={80} isBrief />
      ),
    acts: <ExecutionActions of={of} onChanged={onChanged} key={of.execution_id} />,
    children: (
      <>
        <Moment at={of.created_at} isExact />
        {took === null ? null : `, took ${took}`}
      </>
    )
  }
}

interface ShownProps {
  readonly of: ExecutionData
  readonly onChanged: () => void
}

const Shown = ({ of, onChanged }: ShownProps) => {
  const { execution, question, videos } = of
  const now = useNow(isOpen(of))
  const timeline = useMemo(() => timelineOf(of, now), [of, now])
  const { query, route } = useLocation()
  const start = Date.parse(execution.started_at ?? execution.created_at)
  const seconds = Number(query["t"])
  const chosen =
    query["t"] === undefined || Number.isNaN(seconds) ? undefined : start + Math.round(seconds * 1_000)
  const choose = (moment: number) =>
    route(`${pathOf`/executions/${execution.execution_id}`}?t=${(moment - start) / 1_000}`, true)
  return (
    <div class="stack">
      {warningsOf(of).map(({ eventId, text, title, tone }) => (
        <Note key={title} tone={tone} title={title}>
          <SentenceText of={text} />
          {eventId === undefined ? null : (
            <>
              {" "}
              <a href={pathOf`/deliveries/${eventId}`}>See what was sent</a>
            </>
          )}
        </Note>
      ))}
      {of.holders.length === 0 ? null : <Holders of={of.holders} onChanged={onChanged} />}
      {question === undefined ? null : (
        <Question
          key={question.input_id}
          executionId={execution.execution_id}
          of={question}
          now={now}
          onAnswered={onChanged}
        />
      )}
      <div class="cols">
        <div class="stack">
          {execution.progress === null || isFinished(execution) ? null : (
            <ProgressCard of={execution.progress} now={now} />
          )}
          <Card title="Timeline">
            <TimelineChart of={timeline} chosen={chosen} onChoose={choose} />
            <TimelineLegend of={timeline} />
            <HistoryTable of={of} />
          </Card>
          <div class="two">
            <Card title="Params">
              <JsonTree of={execution.params} name="the params" />
            </Card>
            <Card title="Result">
              {execution.result === null ? (
                <p class="quiet">{execution.stopped_at === null ? "Not yet." : "No result."}</p>
              ) : (
                <JsonTree of={execution.result} name="the result" />
              )}
            </Card>
          </div>
          {execution.started_at === null ? null : <LogCard of={execution} />}
          <Pictures of={execution} videos={videos} chosen={chosen} onChoose={choose} />
          <Files of={execution} />
        </div>
        <aside class="stack" aria-label="Facts">
          <ExecutionFacts of={execution} />
        </aside>
      </div>
    </div>
  )
}

/** The progress that the runner reported last. */
const ProgressCard = ({ now, of }: { readonly of: Progress; readonly now: number }) => {
  const id = useId()
  const { at, message, percent, step } = of
  const ago = durationWords(Math.max(0, now - Date.parse(at)))
  return (
    <Card title="Progress">
      <div class="field">
        <label for={id}>
          <UntrustedText text={step ?? message ?? "Under way"} />
        </label>
        <progress id={id} {...(percent === null ? {} : { value: percent, max: 100 })} />
        <span class="hint num">
          {percent === null ? "Said" : `${Math.round(percent)}%, said`} by the runner {ago} ago
        </span>
        {step === null || message === null ? null : <UntrustedText text={message} />}
      </div>
    </Card>
  )
}

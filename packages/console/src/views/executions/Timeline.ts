/** The history of an execution as rows on one axis: statuses, screenshots, end, and each callback. */
import type { DeliveryDetail, ExecutionHistoryEvent } from "@runhook/sdk/admin"
import { countOf, durationWords, spanWords } from "../../format/Amounts.ts"
import { statusWord } from "../../parts/Looks.ts"
import { type Axis, axisOf, type Span } from "./Axis.ts"
import type { ExecutionData } from "./ExecutionData.ts"

export type BarTone = "queued" | "running" | "asking"

export interface Bar extends Span {
  readonly tone: BarTone
}

export type MarkKind = "good" | "bad" | "stopped" | "failed" | "coming" | "shot"

export interface Mark {
  readonly at: number
  readonly kind: MarkKind
}

export interface Row {
  readonly key: string
  readonly name: string
  /** The delivery of the row. */
  readonly eventId?: string
  readonly bars: ReadonlyArray<Bar>
  readonly marks: ReadonlyArray<Mark>
  /** The result, at the end of the row. */
  readonly end: string
}

export interface Timeline {
  readonly axis: Axis
  readonly rows: ReadonlyArray<Row>
}

const toneOf: { readonly [status: string]: BarTone } = {
  pending: "queued",
  queued: "queued",
  running: "running",
  awaiting_input: "asking"
}

export const timelineOf = (seen: ExecutionData, now: number): Timeline => {
  const stays = statusSpansOf(seen.events, now)
  const callbacks = seen.deliveries.map(callbackRow)
  const shots = seen.execution.screenshots.map(({ created_at }) => Date.parse(created_at))
  const rows = [
    ...statusRows(stays),
    ...(shots.length === 0 ? [] : [shotRow(shots)]),
    ...endRow(seen),
    ...callbacks
  ]
  const moments = rows.flatMap(({ bars, marks }) => [
    ...bars.flatMap(({ from, to }) => [from, to]),
    ...marks.map(({ at }) => at)
  ])
  const busy = stays.filter(({ status }) => status === "running")
  const waits = stays.filter(({ status }) => status !== "running" && toneOf[status] !== undefined)
  return { axis: axisOf({ moments, busy, waits }), rows }
}

interface StatusSpan extends Span {
  readonly status: string
}

/** The spans of its statuses; the last one lasts until now. */
const statusSpansOf = (
  events: ReadonlyArray<ExecutionHistoryEvent>,
  now: number
): ReadonlyArray<StatusSpan> => {
  const stays: Array<StatusSpan> = []
  for (const { at, status } of events) {
    const from = Date.parse(at)
    const last = stays.at(-1)
    if (last?.status === status) continue
    if (last !== undefined) stays[stays.length - 1] = { ...last, to: from }
    stays.push({ status, from, to: from })
  }
  const last = stays.at(-1)
  if (last !== undefined && toneOf[last.status] !== undefined)
    stays[stays.length - 1] = { ...last, to: Math.max(now, last.from) }
  return stays
}

const statusRows = (stays: ReadonlyArray<StatusSpan>): ReadonlyArray<Row> => {
  const statuses = [...new Set(stays.map(({ status }) => status))].filter(
    (status) => toneOf[status] !== undefined
  )
  return statuses.map((status) => {
    const bars = stays
      .filter((stay) => stay.status === status)
      .map(({ from, to }) => ({ from, to, tone: toneOf[status] ?? "queued" }))
    const spent = bars.reduce((sum, { from, to }) => sum + to - from, 0)
    return { key: status, name: statusWord(status), bars, marks: [], end: durationWords(spent) }
  })
}

const shotRow = (shots: ReadonlyArray<number>): Row => ({
  key: "shots",
  name: countOf(shots.length, "screenshot"),
  bars: [],
  marks: shots.map((at) => ({ at, kind: "shot" })),
  end: ""
})

const endKinds: { readonly [status: string]: MarkKind } = {
  completed: "good",
  error: "bad",
  aborted: "stopped",
  cancelled: "stopped"
}

const endRow = ({ execution }: ExecutionData): ReadonlyArray<Row> => {
  const { created_at, status, stopped_at } = execution
  const kind = endKinds[status]
  if (kind === undefined || stopped_at === null) return []
  const marks = [{ at: Date.parse(stopped_at), kind }]
  const end = spanWords(created_at, stopped_at) ?? ""
  return [{ key: "end", name: statusWord(status), bars: [], marks, end }]
}

const callbackRow = (delivery: DeliveryDetail): Row => {
  const { event_id, type } = delivery
  return {
    key: event_id,
    eventId: event_id,
    name: type,
    bars: [],
    marks: attemptMarks(delivery),
    end: answerWords(delivery)
  }
}

/** The attempts of a delivery, and the next one. */
export const attemptMarks = ({
  attempts_log,
  next_attempt_at,
  state,
  waiting_for
}: DeliveryDetail): ReadonlyArray<Mark> => [
  ...attempts_log.map(({ error, started_at }): Mark => ({
    at: Date.parse(started_at),
    kind: error === null ? "good" : "failed"
  })),
  ...(state === "pending" && waiting_for !== "sending" && next_attempt_at !== null
    ? [{ at: Date.parse(next_attempt_at), kind: "coming" as const }]
    : [])
]

/** The receiver's last answer, as short as possible. */
const answerWords = ({ attempts, last_status, state }: DeliveryDetail): string => {
  const said = last_status === null ? (attempts === 0 ? "" : "no answer") : String(last_status)
  if (state === "delivered") return said
  if (state === "dead") return said === "" ? "given up" : `${said}, given up`
  if (state === "cancelled") return "cancelled"
  return attempts === 0 ? "to come" : `${said}, again later`
}

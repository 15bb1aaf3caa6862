/** Loads everything that the page of one execution shows. */
import {
  type AdminExecution,
  type AdminExecutionArtifacts,
  type AdminExecutionDetail,
  type DeliveryDetail,
  type ExecutionExplained,
  type ExecutionHistoryEvent,
  type InputRequest,
  isFinished
} from "@runhook/sdk/admin"
import { account } from "../../session/Session.ts"

export interface ExecutionData {
  readonly execution: AdminExecutionDetail
  readonly events: ReadonlyArray<ExecutionHistoryEvent>
  /** Why it has not started; undefined once it has. */
  readonly explained: ExecutionExplained | undefined
  /** The executions that have the seats of its concurrency key, while it waits for one. */
  readonly holders: ReadonlyArray<AdminExecution>
  readonly question: InputRequest | undefined
  readonly videos: AdminExecutionArtifacts["videos"]
  readonly deliveries: ReadonlyArray<DeliveryDetail>
}

/** Most events that are shown; a longer history is cut, and says so. */
export const eventsMax = 600
const eventsAtOnce = 200

export const loadExecution = async (id: string, signal: AbortSignal): Promise<ExecutionData> => {
  const { executions } = account.value
  const execution = await executions.get(id, { signal })
  const isWaiting = execution.status === "queued" || execution.status === "pending"
  const [events, deliveries, artifacts, explained, inputs] = await Promise.all([
    eventsOf(id, signal),
    Promise.all(execution.callbacks.map((each) => account.value.deliveries.get(each.event_id, { signal }))),
    execution.started_at === null ? undefined : executions.artifacts(id, { signal }),
    isWaiting ? executions.explain(id, { signal }) : undefined,
    execution.input_request === null ? undefined : executions.inputs(id, { signal })
  ])
  return {
    execution,
    events,
    explained,
    holders: isSeatless(explained) ? await holdersOf(execution, signal) : [],
    question: inputs?.data.find(({ input_id }) => input_id === execution.input_request?.input_id),
    videos: artifacts?.videos ?? [],
    deliveries
  }
}

const isSeatless = (explained: ExecutionExplained | undefined): boolean =>
  explained?.blocked_by.some(({ kind }) => kind === "concurrency_key") === true

/** Most executions at work that are looked through. */
const atWorkMax = 200

const holdersOf = async ({ concurrency_key: key }: AdminExecutionDetail, signal: AbortSignal) => {
  const query = { status: ["running", "awaiting_input"], limit: atWorkMax } as const
  const { data } = await account.value.executions.list(query, { signal }).page()
  return data.filter(({ concurrency_key }) => concurrency_key === key)
}

const eventsOf = async (id: string, signal: AbortSignal): Promise<ReadonlyArray<ExecutionHistoryEvent>> => {
  const events: Array<ExecutionHistoryEvent> = []
  while (events.length < eventsMax) {
    const after = events.at(-1)?.sequence ?? 0
    const { data } = await account.value.executions.events(id, { after, limit: eventsAtOnce }, { signal })
    events.push(...data)
    if (data.length < eventsAtOnce) break
  }
  return events
}

/** The path of a file, so that it is fetched from the page's own origin. */
export const pathOfFile = ({ url }: { readonly url: string }): string => URL.parse(url)?.pathname ?? ""

/** Whether it still changes with time: its bars grow, its timeouts approach. */
export const isOpen = ({ deliveries, execution }: ExecutionData): boolean =>
  !isFinished(execution) || deliveries.some(({ state }) => state === "pending")

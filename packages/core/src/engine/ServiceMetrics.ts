/**
 * What every process measures of executions, runners and queues, for operators. Labels have few values: of an account
 * there is nothing but ids of agents, and of these a bounded number.
 */
import type * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Struct from "effect/Struct"
import type { CountedChange } from "../usage/UsageOfChange.ts"
import type { Counter } from "../usage/UsageCounts.ts"
import type { ServiceStanding } from "../usage/UsageStore.ts"

const counter = (name: string, description: string) =>
  Metric.counter(name, { description, incremental: true })

const created = counter("runhook_executions_created_total", "Executions that were created")

const ended = counter("runhook_executions_ended_total", "Executions that ended, by their last status")

const endedAs: ReadonlyMap<Counter, typeof ended> = new Map([
  ["completed", Metric.withAttributes(ended, { status: "completed" })],
  ["failed", Metric.withAttributes(ended, { status: "error" })],
  ["aborted", Metric.withAttributes(ended, { status: "aborted" })],
  ["cancelled", Metric.withAttributes(ended, { status: "cancelled" })]
])

const toStart = Metric.histogram("runhook_execution_start_delay_seconds", {
  description: "Seconds from the due time of an execution to its first start",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400]
})

const claims = counter("runhook_claims_total", "Executions that were given to runners")

const leasesLost = counter(
  "runhook_leases_lost_total",
  "Executions taken from runners that did not start them in time or went silent"
)

const pollsWaiting = Metric.gauge("runhook_polls_waiting", {
  description: "Requests that have looked, and wait for a change"
})

/** Shows from the start what has not happened yet, so that a first time is seen as a change. */
export const begin = (context: Context.Context<never>): void => {
  for (const each of [created, ...endedAs.values(), toStart, claims, leasesLost, pollsWaiting])
    each.valueUnsafe(context)
}

/** Counts a change that was stored. */
export const changed = ({ counter: of, millis }: CountedChange, context: Context.Context<never>): void => {
  if (of === "created") created.updateUnsafe(1, context)
  else if (of === "started") toStart.updateUnsafe((millis ?? 0) / 1_000, context)
  else endedAs.get(of)?.updateUnsafe(1, context)
}

export const claimed = (executions: number) => Metric.update(claims, executions)

export const lostLeases = (executions: number) => Metric.update(leasesLost, executions)

/** Counts a request among those that wait. */
export const countedWait = <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Metric.modify(pollsWaiting, 1),
    () => wait,
    () => Metric.modify(pollsWaiting, -1)
  )

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const queueDepth = gauge(
  "runhook_queue_depth",
  "Executions that are due and that no runner has, by agent: the hundred agents where work waits longest"
)

const queueOldest = gauge(
  "runhook_queue_oldest_age_seconds",
  "Seconds for which the oldest of these executions has been due"
)

const deliveries = gauge(
  "runhook_webhook_deliveries",
  "Callbacks by state: pending, of these retrying after a failed attempt, and dead"
)

const gauges = {
  runners: gauge("runhook_runner_sessions", "Runner processes heard of within the last minute"),
  waitingDeliveries: Metric.withAttributes(deliveries, { state: "pending" }),
  failingDeliveries: Metric.withAttributes(deliveries, { state: "retrying" }),
  deadLetters: Metric.withAttributes(deliveries, { state: "dead" }),
  heldReceivers: gauge("runhook_webhook_receivers_held", "Receivers that are left alone because they fail"),
  artifactBytes: gauge("runhook_artifacts_stored_bytes", "Bytes of all artifacts, as they were registered"),
  awaitedUploads: gauge("runhook_artifacts_awaited", "Artifacts that are registered and not uploaded")
} satisfies { readonly [Name in keyof ServiceStanding]?: Metric.Gauge<number> }

const names = Struct.keys(gauges)

/** Shows the latest look at the whole service. */
export class StandingMetrics {
  readonly #context: Context.Context<never>
  #ofAgents: ReadonlyArray<Metric.Gauge<number>> = []

  constructor(context: Context.Context<never>) {
    this.#context = context
  }

  show({ waiting, ...numbers }: ServiceStanding, at: DateTime.Utc): void {
    for (const name of names) gauges[name].updateUnsafe(numbers[name], this.#context)
    this.#forgetAgents()
    this.#ofAgents = waiting.flatMap(({ agentId, executions, oldestDueAt }) => [
      this.#set(queueDepth, agentId, executions),
      this.#set(queueOldest, agentId, Math.max(0, secondsBetween(oldestDueAt, at)))
    ])
  }

  /** A process that cannot look any more shows nothing, and not what was. */
  forget(): void {
    for (const name of names) Metric.removeUnsafe(gauges[name], this.#context)
    this.#forgetAgents()
  }

  #forgetAgents(): void {
    for (const each of this.#ofAgents) Metric.removeUnsafe(each, this.#context)
    this.#ofAgents = []
  }

  #set(of: Metric.Gauge<number>, agent_id: string, value: number): Metric.Gauge<number> {
    const series = Metric.withAttributes(of, { agent_id })
    series.updateUnsafe(value, this.#context)
    return series
  }
}

const secondsBetween = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Duration.toSeconds(DateTime.distance(from, to))

/** What the process itself needs: processor, memory, and how late its event loop is. Names are those of Prometheus' clients. */
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Function from "effect/Function"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import { version } from "../Version.ts"

/** Delays are shown of this long, and measured as often as in `resolution` milliseconds. */
const span = Duration.seconds(10)
const resolution = 50

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    gauge(context, "runhook_build_info", "The version of the service", () => 1, { version })
    gauge(context, "process_start_time_seconds", "When the process began, in seconds since 1970", () =>
      Math.floor(performance.timeOrigin / 1_000)
    )
    gauge(context, "process_resident_memory_bytes", "Memory of the process", residentBytes)
    gauge(
      context,
      "nodejs_heap_used_bytes",
      "Memory of JavaScript objects",
      () => getHeapStatistics().used_heap_size
    )
    counter(
      context,
      "process_cpu_seconds_total",
      "Processor time of the process, its threads included",
      () => {
        const { system, user } = process.cpuUsage()
        return (system + user) / 1e6
      }
    )
    counter(
      context,
      "nodejs_eventloop_active_seconds_total",
      "Seconds in which the event loop had something to do",
      () => performance.eventLoopUtilization().active / 1_000
    )
    yield* showDelays(context)
  })
)

/** Not a number in a container without `/proc`, where the system does not tell. */
const residentBytes = (): number => {
  try {
    return process.memoryUsage.rss()
  } catch {
    return Number.NaN
  }
}

/** How much later than asked the event loop came round. */
const showDelays = Effect.fnUntraced(function* (context: Context.Context<never>) {
  const delays = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  )
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1_000)
  let [p50, p99, max] = [0, 0, 0]
  const named = (name: string) => `nodejs_eventloop_delay_${name}_seconds`
  const said = "seconds by which the event loop was late within the last ten seconds"
  gauge(context, named("p50"), `Median of the ${said}`, () => p50)
  gauge(context, named("p99"), `99th percentile of the ${said}`, () => p99)
  gauge(context, named("max"), `Most of the ${said}`, () => max)
  const read = Effect.sync(() => {
    if (delays.count > 0) {
      ;[p50, p99, max] = [late(delays.percentile(50)), late(delays.percentile(99)), late(delays.max)]
    }
    delays.reset()
  })
  yield* Effect.forkScoped(Effect.repeat(read, Schedule.spaced(span)))
})

const gauge = (
  context: Context.Context<never>,
  name: string,
  description: string,
  value: () => number,
  attributes: Readonly<Record<string, string>> = {}
): void => {
  const get = () => ({ value: value() })
  Metric.registerUnsafe(Metric.gauge(name, { attributes, description }), context, { ...readOnly, get })
}

const counter = (
  context: Context.Context<never>,
  name: string,
  description: string,
  value: () => number
): void => {
  const get = () => ({ count: value(), incremental: true })
  const metric = Metric.counter(name, { description, incremental: true })
  Metric.registerUnsafe(metric, context, { ...readOnly, get })
}

/** They are read as they are shown. */
const readOnly = { update: Function.constVoid, modify: Function.constVoid }

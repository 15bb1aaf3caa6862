/** This process as one of several workers of a service: its messages to and from its parent. */
import { errorAnswer } from "@runhook/http/errors/ErrorAnswer"
import { BaseUrl } from "@runhook/http/BaseUrl"
import { Listening } from "@runhook/http/NodeServer"
import { Relief } from "@runhook/http/probes/Health"
import * as Metrics from "@runhook/http/probes/Metrics"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { placeOf } from "../logging/ListeningLog.ts"
import { Readiness } from "../process/Readiness.ts"
import type { ServerSettings } from "../settings/ServerSettings.ts"
import { beatEvery, Order, type Told } from "./Messages.ts"

/** Another worker has taken the place of this one, and answers. */
export const relief = Layer.sync(Relief, () => ({ isThere: false }))

/** Longest wait for the parent, which has nothing else to do. */
const parentMax = Duration.seconds(2)

const tell = (told: Told): void => void process.send?.(told)

const isOrder = Schema.is(Order)

/** Serves `/metrics`: those of this process, or of all workers if it is one of them. */
export const layer = ({ worker }: ServerSettings) => (worker === null ? Metrics.layer : asWorker)

const asWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { leaveConnections } = yield* Listening
    const relieved = yield* Relief
    const serving = yield* Readiness
    const asked = new Map<number, Deferred.Deferred<string>>()
    let latest = 0

    const follow = (order: unknown): void => {
      if (!isOrder(order)) return
      if (order._tag === "MergedMetrics") {
        const asking = asked.get(order.id)
        if (asking !== undefined) Deferred.doneUnsafe(asking, Effect.succeed(order.metrics))
        return
      }
      relieved.isThere = true
      leaveConnections(true)
      process.kill(process.pid, "SIGTERM")
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("message", follow)),
      () => Effect.sync(() => process.off("message", follow))
    )

    const beat = Effect.map(PrometheusMetrics.format(), (metrics) => tell({ _tag: "Beat", metrics }))
    // What was counted last is not lost with this process.
    yield* Effect.addFinalizer(() => beat)
    yield* Effect.forkScoped(Effect.repeat(beat, Schedule.spaced(beatEvery)))

    const begin = Effect.gen(function* () {
      yield* serving.await
      leaveConnections(false)
      const { address } = yield* HttpServer.HttpServer
      tell({ _tag: "Serving", address: { url: yield* BaseUrl, ...placeOf(address) } })
    })
    yield* Effect.forkScoped(begin)

    const mergedMetrics = Effect.gen(function* () {
      const id = latest++
      const answer = yield* Deferred.make<string>()
      asked.set(id, answer)
      tell({ _tag: "MetricsAsked", id, metrics: yield* PrometheusMetrics.format() })
      return yield* Deferred.await(answer).pipe(
        Effect.timeoutOption(parentMax),
        Effect.ensuring(Effect.sync(() => asked.delete(id)))
      )
    })
    const router = yield* HttpRouter.HttpRouter
    yield* router.add(
      "GET",
      "/metrics",
      Effect.flatMap(mergedMetrics, (metrics) =>
        metrics._tag === "Some"
          ? Effect.succeed(
              HttpServerResponse.text(metrics.value, {
                contentType: "text/plain; version=0.0.4; charset=utf-8"
              })
            )
          : errorAnswer({ status: 503, message: "The parent of the workers does not answer" })
      )
    )
  })
)

/** Loaded before the service: lets heartbeats and polls come and go while a test looks. */
import { RunnerTimings } from "@runhook/core/Settings"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

Object.assign(Context.get(Context.empty(), RunnerTimings), {
  heartbeat: Duration.millis(200),
  pollWait: Duration.millis(500)
})

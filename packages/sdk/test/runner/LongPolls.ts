/** Loaded before the service: lets polls wait for longer than a test does, so that what waits for one is never told. */
import { RunnerTimings } from "@runhook/core/Settings"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

Object.assign(Context.get(Context.empty(), RunnerTimings), { pollWait: Duration.minutes(1) })

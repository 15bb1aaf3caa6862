/** Loaded before the service: lets leases outlast whatever a slow machine does in a test. */
import { RunnerTimings } from "@runhook/core/Settings"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

Object.assign(Context.get(Context.empty(), RunnerTimings), { lease: Duration.hours(1) })

/** Loaded before the service: lets leases be short, so that a test can outlast one. */
import { RunnerTimings } from "@runhook/core/Settings"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

Object.assign(Context.get(Context.empty(), RunnerTimings), { lease: Duration.seconds(5) })

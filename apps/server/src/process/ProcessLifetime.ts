/** Runs a program as this process: how it is told to stop, and its exit code. */
import cluster from "node:cluster"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { codeOf } from "@runhook/embedded-postgres/SystemFault"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { exitCodeOf } from "../logging/Reporting.ts"

/**
 * A Ctrl-C under npm comes twice, from the terminal and from npm; within this time,
 * in milliseconds, they count as one.
 */
const sameSignalMillis = 500

/** The exit code of a process that was told to stop twice. */
const forced = 130

/** The exit code of a program whose output or log nobody reads any more, as a shell says it. */
const unread = 141

/** The first signal stops the program gracefully; another one ends it at once. */
export const run = <A, E>(program: Effect.Effect<A, E>): void => {
  let stoppedAt: number | undefined
  const onSignal = () => {
    stoppedAt ??= performance.now()
    if (performance.now() - stoppedAt > sameSignalMillis) process.exit(forced)
  }
  // A worker may be told twice, by its parent and by what told the parent; only its parent ends it at once.
  if (cluster.isPrimary) process.on("SIGINT", onSignal).on("SIGTERM", onSignal)
  else process.on("SIGHUP", () => {})
  let isUnread = false
  const onError = (error: Error) => {
    if (codeOf(error) !== "EPIPE") throw error
    // What is under way comes to its end, as when it is told to stop.
    if (!isUnread) process.kill(process.pid, "SIGTERM")
    isUnread = true
    process.exitCode = unread
  }
  process.stdout.on("error", onError)
  process.stderr.on("error", onError)
  NodeRuntime.runMain(program, {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) ? 0 : exitCodeOf(exit.cause))
  })
}

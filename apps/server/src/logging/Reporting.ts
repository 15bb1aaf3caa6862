/**
 * How the process reports what it does and what went wrong. Answers go to stdout,
 * everything else to stderr.
 */
import cluster from "node:cluster"
import { isStoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import { StartupProblems } from "../process/StartupProblems.ts"
import { gathered, piecesOf } from "./BufferedLog.ts"
import { flatLines } from "./FlatLines.ts"
import { printError } from "../output/Writer.ts"

/** Workers share one pipe. */
const write = (text: string): void => {
  for (const piece of cluster.isWorker ? piecesOf(text) : [text]) process.stderr.write(piece)
}

/** Logs: pretty for people, flat JSON for machines. */
export const reporting = Layer.mergeAll(
  Logger.layer([process.stderr.isTTY ? Logger.consolePretty({ mode: "tty" }) : gathered(flatLines, write)]),
  Layer.succeed(Logger.LogToStderr, true),
  // Spans are made only where a collector gets them (`OtlpExport`).
  Layer.succeed(References.TracerEnabled, false)
)

/** A command could not do what was asked. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  reason: Schema.String,
  /** The page of commands says what each means. */
  exitCode: Schema.Int.pipe(Schema.withConstructorDefault(Effect.succeed(1)))
}) {
  override get message() {
    return this.reason
  }
}

/** The exit code of a program that failed, or was told to stop. */
export const exitCodeOf = (cause: Cause.Cause<unknown>): number => {
  if (Cause.hasInterruptsOnly(cause)) return Number(process.exitCode ?? 130)
  const error = Cause.squash(cause)
  if (CliError.isCliError(error)) return 2
  return error instanceof CommandFailed ? error.exitCode : 1
}

/**
 * Prints why a program failed: a line for each problem that its user can solve, a
 * log entry for anything else.
 */
export const reportFailure = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  const error = Cause.squash(cause)
  // The help text has said everything.
  if (CliError.isCliError(error)) return Effect.void
  if (error instanceof StartupProblems) {
    return Effect.forEach(error.problems, (problem) => printError(`runhook: ${problem}`), {
      discard: true
    })
  }
  if (error instanceof CommandFailed || isStoreUnavailable(error))
    return printError(`runhook: ${error.message}`)
  return Effect.logError("Stopped by a fault of its own", cause)
}

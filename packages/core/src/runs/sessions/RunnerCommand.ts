/** What the service tells a runner about work that it believes to hold. */
import * as Array from "effect/Array"
import { isTerminal } from "../../executions/ExecutionStatus.ts"
import type { ExecutionId, InputId, SessionId } from "../../shared/Ids.ts"
import type { Json } from "../../shared/json/Json.ts"
import { jsonBytes } from "../../shared/json/JsonBytes.ts"
import type { InputRequest } from "../InputRequest.ts"
import type { InFlight, Lease } from "../Lease.ts"
import { isResuming } from "../LeaseMoves.ts"
import type { HeldRun, Run } from "../Run.ts"

export type RunnerCommand =
  /** Stop the work; its artifacts may still be written for a while. */
  | {
      readonly _tag: "Cancel"
      readonly executionId: ExecutionId
      readonly epoch: number
      readonly reason: string
    }
  | {
      readonly _tag: "InputAnswered"
      readonly executionId: ExecutionId
      readonly inputId: InputId
      readonly value: Json
    }
  /** Take no more work, finish what is in flight, leave. */
  | { readonly _tag: "Drain" }

/** The relation of a runner to work that it believes to hold. */
export type WorkState =
  | { readonly _tag: "Held"; readonly lease: Lease; readonly command: RunnerCommand | null }
  | { readonly _tag: "Stopped"; readonly command: RunnerCommand }
  /** It is no longer the runner's: drop it, nothing more can be written. */
  | { readonly _tag: "Lost" }

/** A pure reading of the run for a session: no command is stored, so none can be lost. */
export const standingOf = (
  run: HeldRun,
  { epoch, executionId, sessionId }: InFlight & { readonly sessionId: SessionId }
): WorkState => {
  if (run.lease?.epoch === epoch && run.lease.sessionId === sessionId) {
    const input = answeredWhileHeld(run)
    return {
      _tag: "Held",
      lease: run.lease,
      command: input && { _tag: "InputAnswered", executionId, inputId: input.id, value: input.value }
    }
  }
  const { status, statusReason, errorMessage } = run.execution
  const wasStopped = isTerminal(status) && run.attemptEpoch === epoch && run.completion?.epoch !== epoch
  return wasStopped
    ? {
        _tag: "Stopped",
        command: {
          _tag: "Cancel",
          executionId,
          epoch,
          reason: statusReason ?? errorMessage ?? "cancelled by its caller"
        }
      }
    : { _tag: "Lost" }
}

/** The answer that running work last waited for. */
const answeredWhileHeld = (run: HeldRun): InputRequest | null => {
  const last = run.inputs.at(-1)
  return run.execution.status === "running" && last?.mode === "hold" && last.answeredAt !== null ? last : null
}

/** The answer that comes with the claim of work which had released its runner to wait for it. */
export const answerToResumeWith = (run: Run): InputRequest | null => {
  const last = run.inputs.at(-1)
  return isResuming(run) && last?.mode === "release" && last.answeredAt !== null ? last : null
}

/** The most bytes of commands in one answer. The rest comes with the next. */
const commandBytesMax = 1024 * 1024

/** As many commands as an answer has room for; new ones first. */
export const tellable = (
  commands: ReadonlyArray<RunnerCommand>,
  told: ReadonlySet<string>
): ReadonlyArray<RunnerCommand> => {
  const isKnown = (command: RunnerCommand) => told.has(commandKey(command))
  const fresh = commands.filter((command) => !isKnown(command))
  let bytes = 0
  return Array.takeWhile([...fresh, ...commands.filter(isKnown)], (command, place) => {
    bytes += command._tag === "InputAnswered" ? jsonBytes(command.value) : 0
    return place === 0 || bytes <= commandBytesMax
  })
}

/** Names a command, so that it ends a poll only once. */
export const commandKey = (command: RunnerCommand): string => {
  switch (command._tag) {
    case "Cancel":
      return `cancel:${command.executionId}:${command.epoch}`
    case "InputAnswered":
      return `input:${command.executionId}:${command.inputId}`
    case "Drain":
      return "drain"
  }
}

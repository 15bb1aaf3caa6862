/** What is reported of an attempt, from how its handler ended. */
import type { Outcome } from "../wire/Runner.ts"
import { StoppedError, TaskCancelled, TaskError } from "./Stopping.ts"

/** Longest error message that the service takes, in characters; reasons of a cancel are shorter. */
const messageLengthMax = 4_000
const reasonLengthMax = 1_000

export const outcomeOfResult = (result: object | void): Outcome =>
  result === undefined ? { outcome: "completed" } : { outcome: "completed", result }

export const outcomeOfFailure = (cause: unknown): Outcome => {
  const message = messageOf(cause)
  if (cause instanceof TaskCancelled) {
    return { outcome: "cancelled", error: { message: shortened(message, reasonLengthMax) } }
  }
  return { outcome: "error", error: { message: shortened(message, messageLengthMax), ...nextAttempt(cause) } }
}

const nextAttempt = (
  cause: unknown
): { readonly retryable: boolean; readonly delay_ms?: number | undefined } => {
  // A runner that stops says nothing about the work: another attempt may well succeed, and at once.
  if (cause instanceof StoppedError) return { retryable: true, delay_ms: 0 }
  if (!(cause instanceof TaskError)) return { retryable: false }
  const { delayMillis, retryable } = cause
  return {
    retryable,
    delay_ms: retryable && delayMillis !== undefined ? Math.round(delayMillis) : undefined
  }
}

/** The words of whatever was thrown, never its stack. */
export const messageOf = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  // The service keeps no text with this character.
  return message.replaceAll("\0", "").trim() || "failed without a message"
}

/** By whole characters: half of one would be refused. */
export const shortened = (text: string, lengthMax: number): string =>
  Array.from(text).slice(0, lengthMax).join("")

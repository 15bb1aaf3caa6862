/** The outcome of an attempt, from how its handler ended. */
import type { Outcome } from "../wire/Runner.ts"
import { StoppedError, TaskCancelled, TaskError } from "./Stopping.ts"

/** Longest error message that the service takes, in characters; reasons of a cancel are shorter. */
const messageLengthMax = 4_000
const reasonLengthMax = 1_000
/** Longest stack that is kept: the chain of an error's causes may be endless. */
const stackLengthMax = 16_000
const causesMax = 10

export const outcomeOfResult = (result: object | void): Outcome => ({
  outcome: "completed",
  ...(result !== undefined && { result })
})

export const outcomeOfFailure = (cause: unknown): Outcome => {
  const message = messageOf(cause)
  if (cause instanceof TaskCancelled) {
    return { outcome: "cancelled", error: { message: shortened(message, reasonLengthMax) } }
  }
  return { outcome: "error", error: { message, ...nextAttempt(cause) } }
}

const nextAttempt = (
  cause: unknown
): { readonly retryable: boolean; readonly delay_ms?: number | undefined } => {
  // A stopping runner says nothing about the work: another attempt may succeed, at once.
  if (cause instanceof StoppedError) return { retryable: true, delay_ms: 0 }
  if (!(cause instanceof TaskError)) return { retryable: false }
  const { delayMillis, retryable } = cause
  return {
    retryable,
    delay_ms: retryable && delayMillis !== undefined ? Math.round(delayMillis) : undefined
  }
}

/** The message of anything that was thrown, never its stack. */
export const messageOf = (thrown: unknown): string => {
  const message = partOf(thrown, "message").trim()
  return shortened(message, messageLengthMax).trim() || "failed without a message"
}

/** Where it was thrown, and its causes: for its author only. */
export const stackOf = (thrown: unknown): string => {
  const stacks: Array<string> = []
  for (let each = thrown; each !== undefined && stacks.length < causesMax; each = Object(each).cause) {
    stacks.push(partOf(each, "stack"))
  }
  return shortened(stacks.join("\ncaused by: "), stackLengthMax)
}

/** Anything can be thrown, also what cannot be made a text. */
const partOf = (thrown: unknown, part: "message" | "stack"): string => {
  try {
    const error: Partial<Error> = Object(thrown)
    return String(error[part] ?? thrown ?? "")
  } catch {
    return ""
  }
}

/** By whole characters, and without what the service does not keep: U+0000, and halves of characters. */
export const shortened = (text: string, lengthMax: number): string =>
  Array.from(
    text
      .slice(0, 2 * lengthMax)
      .replaceAll("\0", "")
      .replace(/\p{Surrogate}/gu, "\uFFFD")
  )
    .slice(0, lengthMax)
    .join("")

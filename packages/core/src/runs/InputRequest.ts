/** A question that running work asks its caller. */
import * as Schema from "effect/Schema"
import { InputId } from "../shared/Ids.ts"
import { JsonObject } from "../shared/json/Json.ts"

/** What happens when nobody answers in time. */
export const InputTimeout = Schema.Literals(["error", "cancel", "default"])
export type InputTimeout = typeof InputTimeout.Type

/**
 * Whether the runner keeps the execution while it waits, or gives back its slot and
 * gets the answer with a later claim.
 */
export const InputMode = Schema.Literals(["hold", "release"])
export type InputMode = typeof InputMode.Type

export const inputKeyLengthMax = 128
export const inputPromptLengthMax = 4_000
/** Longest wait for an answer: 7 days. */
export const inputExpirySecondsMax = 604_800

export const InputRequest = Schema.Struct({
  id: InputId,
  /**
   * The runner's own name for the question: asking again under the same key finds the
   * same question in the same attempt, and in a later one once it was answered.
   */
  key: Schema.String,
  prompt: Schema.String,
  /** JSON Schema of the answer. */
  schema: JsonObject,
  onTimeout: InputTimeout,
  /** The answer when `onTimeout` is `default`. */
  defaultValue: Schema.Json,
  mode: InputMode,
  askedAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc,
  answeredAt: Schema.NullOr(Schema.DateTimeUtc),
  /** The answer; null until answered. */
  value: Schema.Json
})
export type InputRequest = typeof InputRequest.Type

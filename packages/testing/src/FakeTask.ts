/** A test's description of tasks, their work, questions and files. */
import type { JsonObject } from "@runhook/sdk"

/** A task that tests may queue. It has one version, number 1. */
export interface FakeTask {
  /** The task's name; its slug unless given. */
  readonly name?: string
  readonly description?: string
  /** The schema of its params; any object unless given. */
  readonly paramsSchema?: JsonObject
  readonly resultSchema?: JsonObject
  readonly timeoutSeconds?: number
  /** Most attempts; one unless given. */
  readonly maxAttempts?: number
  /** Whether it accepts executions; true unless given. */
  readonly enabled?: boolean
  /** Does the work as soon as it is queued, and returns the result; if it throws, the execution fails. Without it, tests say how runs end. */
  readonly run?: (params: JsonObject) => JsonObject | null | Promise<JsonObject | null>
}

/** A question of the work. */
export interface Question {
  readonly prompt: string
  /** JSON Schema of the answer; anything unless given. */
  readonly schema?: JsonObject
  /** Names the question within its run; `input` unless given. */
  readonly key?: string
  /** How long the work waits, in seconds; an hour unless given. Then it fails. */
  readonly expiresInSeconds?: number
}

export type FileKind = "downloads" | "prints" | "screenshots"

/** A file that a run captures. */
export interface FakeFile {
  readonly file_name: string
  readonly content: string | Uint8Array
  /** `application/octet-stream` unless given. */
  readonly content_type?: string
  /** `downloads` unless given. */
  readonly kind?: FileKind
}

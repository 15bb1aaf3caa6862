/** What a test says of the tasks of its service, of their work and of what that asks and captures. */
import type { JsonObject } from "@runhook/sdk"

/** A task that tests may queue. It has one version, of the number 1. */
export interface FakeTask {
  /** The task's name; its slug unless given. */
  readonly name?: string
  readonly description?: string
  /** The schema of its params; anything that is an object unless given. */
  readonly paramsSchema?: JsonObject
  readonly resultSchema?: JsonObject
  readonly timeoutSeconds?: number
  /** How often work that fails is begun; once unless given. */
  readonly maxAttempts?: number
  /** Whether it takes executions; it does unless given. */
  readonly enabled?: boolean
  /** Does the work as soon as it is queued, and gives the result; what it throws fails the execution. Without it, tests say how runs end. */
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

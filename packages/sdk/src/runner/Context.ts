/** What a handler receives. */
import type { InputMode, InputTimeout, Json, JsonObject } from "../wire/Integration.ts"
import type { InputAnswer, Progress, TaskRef } from "../wire/Runner.ts"

/**
 * Does the work of a task. What it returns is the result; what it throws is the
 * error. A method, so that params may be of a type that says more than JSON does.
 */
export type Handler<Params extends object = JsonObject, Result extends object | void = object | void> = {
  handle(context: HandlerContext<Params>): Result | Promise<Result>
}["handle"]

export interface HandlerContext<Params extends object = JsonObject> {
  readonly execution_id: string
  readonly task: TaskRef
  readonly agent_id: string
  /** Checked against the task's schema by the service, its defaults filled in. */
  readonly params: Params
  readonly metadata: JsonObject
  readonly reference: string
  /** From 1. */
  readonly attempt: number
  /** Rises with every attempt. Pass it to systems that must refuse a writer presumed dead. */
  readonly fencing_token: number
  /** The time limit of the attempt, after which the service ends it. */
  readonly timeout_ms: number | null
  /** The place of the attempt in its caller's trace, as the header of W3C Trace Context, for calls of your own. */
  readonly traceparent: string | null
  /** The answer for which the execution released its runner. */
  readonly input_answer: InputAnswer | null
  /** The latest checkpoint of the execution, of this attempt or an earlier one; null if there is none. */
  readonly last_checkpoint: Json
  /** Whether an earlier process of this instance had already started this attempt: only with `recover: "resume"`. */
  readonly is_resumed: boolean
  /** Aborts when the work must stop, with a `StoppedError` that says why. */
  readonly signal: AbortSignal
  /** Reports progress. Only the latest call is sent, with the next heartbeat. */
  progress(progress: Progress): void
  /**
   * Keeps how far the work is, in a value of at most 64 KiB as JSON, in place of the one
   * before. If another attempt follows, it begins with `last_checkpoint`.
   */
  checkpoint(value: object | Json): Promise<void>
  /**
   * Asks the execution's caller, and gives the answer. Rejects with the
   * signal's reason when there will be none. With mode `release` the work ends
   * here: the handler is called again once there is an answer, and the same
   * question then gives it at once.
   */
  ask(question: Question): Promise<Json>
  /** Uploads files for the execution's caller. Each resolves when the service has verified the bytes; also after a cancel. */
  readonly artifacts: Artifacts
  readonly logger: Logger
  /** Writes to the log of the execution, which its caller and people of the account can read. Sent once a second. */
  readonly log: ExecutionLog
}

export interface Question {
  /** Names the question: asking again under one key in one attempt is the same question. */
  readonly key: string
  readonly prompt: string
  /** JSON Schema of the answer. */
  readonly schema: JsonObject
  /** How long to wait for the answer; 3,600 unless given. */
  readonly expires_in_s?: number
  /** What happens without an answer in time; `error` unless given. `default` needs a `default`. */
  readonly on_timeout?: InputTimeout
  readonly default?: Json
  /** Whether the handler stays while it waits; `hold` unless given. */
  readonly mode?: InputMode
}

/** A path, the bytes, or a stream of either kind, which is spooled to a temporary file. */
export type ArtifactSource = string | Uint8Array | AsyncIterable<Uint8Array>

export interface FileOptions {
  /** Its name; the last part of a path, or the kind with an extension, unless given. */
  readonly file_name?: string
  /** Its media type; by default that of its kind: any bytes, PDF, PNG, WebM. */
  readonly content_type?: string
}

export interface VideoOptions extends FileOptions {
  /** The platform that is seen, and what drove it. */
  readonly platform_id: string
  readonly handler: string
  /** When the recording began, in milliseconds after the start of the work. */
  readonly started_offset_ms: number
}

export interface SavedArtifact {
  readonly artifact_id: string
  readonly size_bytes: number
  /** Of the bytes, in lower-case hex. */
  readonly sha256: string
}

export interface Artifacts {
  download(source: ArtifactSource, options?: FileOptions): Promise<SavedArtifact>
  print(source: ArtifactSource, options?: FileOptions): Promise<SavedArtifact>
  screenshot(source: ArtifactSource, options?: FileOptions): Promise<SavedArtifact>
  video(source: ArtifactSource, options: VideoOptions): Promise<SavedArtifact>
}

/** Writes to the runner's log, with the execution's id beside. */
export type Logger = {
  readonly [Level in LogLevel]: (message: string, fields?: Readonly<Record<string, unknown>>) => void
}

/** A message of more than 4,096 characters is shortened. The newest 1,000 lines of an execution are kept. */
export type ExecutionLog = {
  readonly [Level in LogLevel]: (message: string) => void
}

export type LogLevel = "debug" | "info" | "warn" | "error"

/** The JSON of the runner API. Generated from the contract by `npm run generate`: do not edit. */
import type { Answer } from "./Envelope.ts"
import type { Json, JsonObject, Open } from "./Json.ts"
import type { ArtifactKind, ErrorObject, InputMode, InputTimeout, KnownExecutionStatus } from "./Integration.generated.ts"

export interface OpenSession {
  /** The process's own name for itself; the same name finds the session again. */
  readonly instance_id: string
  readonly runner_name: string
  readonly version?: string | undefined
  /** All the key may serve unless given. */
  readonly agent_ids?: ReadonlyArray<string> | undefined
  readonly capacity: number
  readonly labels?: { readonly [name: string]: string } | undefined
}

/** The durations a runner keeps, in milliseconds. */
export interface SessionConfig {
  readonly poll_wait_ms: number
  readonly lease_ms: number
  readonly heartbeat_ms: number
  readonly start_deadline_ms: number
  /** How long a runner has to obey a cancel. */
  readonly cancel_grace_ms: number
  /** How long after a cancel files are still accepted. */
  readonly finalize_ms: number
  readonly max_artifact_bytes: number
}

export interface InputAnswer {
  readonly input_id: string
  readonly input_key: string
  readonly value: Json
}

export interface TaskRef {
  readonly id: string
  readonly slug: string
  readonly version_id: string
  readonly number: number
}

/** Work to do. */
export interface Claim {
  readonly execution_id: string
  readonly attempt: number
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
  /** How long until the lease ends, unless the work is started or the lease extended. */
  readonly lease_ms: number
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly fencing_token: number
  /** queued, unless the work was already started, as recovered work may be. */
  readonly status: Open<KnownExecutionStatus>
  readonly task: TaskRef
  readonly agent_id: string
  /** With the schema's defaults filled in. */
  readonly params: JsonObject
  readonly reference: string
  readonly metadata: JsonObject
  readonly timeout_ms: number | null
  /** The place of the execution in its caller's trace, by W3C Trace Context; absent if it has none. */
  readonly traceparent?: string
  readonly input_answer?: InputAnswer
  /** What was last kept by `/checkpoint`; absent if nothing was. */
  readonly checkpoint?: Json
}

export interface ServedAgent {
  readonly id: string
  readonly name: string
  readonly capacity: number
}

/** The session is open; `recover` is the work that the instance still holds from before. */
export interface Session extends Answer {
  readonly session_id: string
  readonly config: SessionConfig
  readonly agents: ReadonlyArray<ServedAgent>
  readonly recover: ReadonlyArray<Claim>
}

/** A line of the log. */
export interface SaidLine {
  readonly level: "debug" | "info" | "warn" | "error"
  readonly message: string
  /** How long ago it was written, in milliseconds; now unless given. */
  readonly age_ms?: number | undefined
  /**
   * Counted by the runner from 1 under one epoch. A line whose number is not above that of the last line is
   * skipped, so lines may be sent again until they are answered. Without it every line is kept.
   */
  readonly number?: number | undefined
}

/** How an execution ended: its id, and what `/complete` takes. */
export interface OutcomeReport {
  readonly execution_id: string
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
  readonly outcome: "completed" | "error" | "cancelled"
  /** What the work produced, with the outcome completed only. null: none, as when left out. */
  readonly result?: JsonObject | null | undefined
  /**
   * Why it failed, required with the outcome error; or why it was cancelled. null: none, as when left out.
   */
  readonly error?: {
    readonly message: string
    readonly retryable?: boolean | undefined
    /** Milliseconds to wait before the next attempt, with `retryable`; by the task's policy unless given. */
    readonly delay_ms?: number | undefined
  } | null | undefined
  /** Lines of the log, oldest first. The newest 1000 of an execution are kept. */
  readonly logs?: ReadonlyArray<SaidLine> | undefined
}

/** Work that a runner holds, or believes to hold. */
export interface LeaseRef {
  readonly execution_id: string
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
}

export interface ClaimWork {
  readonly session_id: string
  /** Repeating it while its leases live answers the same work. */
  readonly claim_id: string
  /** The most executions wanted; large ones come in several answers. 0 asks for commands only. */
  readonly free_slots: number
  readonly wait_ms?: number | undefined
  /**
   * The claim also starts the work, as `/start` does. Work that continues with an `input_answer` still needs
   * its `/start`.
   */
  readonly start?: boolean | undefined
  /** Outcomes of work that has ended since the last claim. */
  readonly outcomes?: ReadonlyArray<OutcomeReport> | undefined
  readonly in_flight?: ReadonlyArray<LeaseRef> | undefined
  readonly draining?: boolean | undefined
}

/** Repeated until in_flight shows that it took effect. */
export type Command = {
  readonly type: "cancel"
  readonly execution_id: string
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
  readonly reason: string
  readonly grace_ms: number
} | {
  readonly type: "input_answered"
  readonly execution_id: string
  readonly input_id: string
  readonly value: Json
} | {
  readonly type: "drain"
}

/** What `/complete` would have answered: the status of the execution, or the error. */
export type OutcomeAnswer = {
  readonly execution_id: string
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
  readonly accepted: true
  readonly status: Open<KnownExecutionStatus>
  /** Milliseconds until the next attempt may begin; only where the execution is queued again. */
  readonly retry_in_ms?: number
} | {
  readonly execution_id: string
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
  readonly accepted: false
  /** The status that `/complete` answers with this error. */
  readonly http_status: number
  readonly error: ErrorObject
}

/**
 * Work, commands and losses, empty if nothing came in time; and the answer to each of the `outcomes`, in
 * their order.
 */
export interface ClaimAnswer extends Answer {
  readonly claims: ReadonlyArray<Claim>
  readonly commands: ReadonlyArray<Command>
  readonly lost: ReadonlyArray<LeaseRef>
  readonly outcomes: ReadonlyArray<OutcomeAnswer>
}

export interface Beat {
  readonly execution_id: string
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
  readonly progress?: {
    readonly percent?: number | undefined
    readonly message?: string | undefined
    readonly step?: string | undefined
  } | undefined
  /** Lines of the log, oldest first. The newest 1000 of an execution are kept. */
  readonly logs?: ReadonlyArray<SaidLine> | undefined
}

export interface Heartbeat {
  readonly session_id: string
  readonly beats: ReadonlyArray<Beat>
}

/** The leases that the session has, commands, and in `lost` the work that it no longer holds. */
export interface HeartbeatAnswer extends Answer {
  readonly leases: ReadonlyArray<{
    readonly execution_id: string
    readonly lease_ms: number
  }>
  readonly commands: ReadonlyArray<Command>
  readonly lost: ReadonlyArray<LeaseRef>
}

export interface Fenced {
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
}

/** The work has begun. */
export interface Started extends Answer {
  readonly status: Open<KnownExecutionStatus>
  readonly lease_ms: number
}

export interface RegisterArtifact {
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
  readonly kind: ArtifactKind
  readonly file_name: string
  readonly content_type: string
  /** At most 512 MiB, unless the host of the service sets another limit. */
  readonly size_bytes: number
  readonly sha256: string
  /** The platform seen; videos only, and required. */
  readonly platform_id?: string | undefined
  /** What drove it; videos only, and required. */
  readonly handler?: string | undefined
  /** When the recording began, after the start of the work; required for videos, and only for them. */
  readonly started_offset_ms?: number | undefined
}

/** Where to send the bytes. */
export interface ArtifactRegistered extends Answer {
  readonly artifact_id: string
  readonly upload: {
    readonly method: "PUT"
    readonly url: string
    readonly headers: { readonly [name: string]: string }
    readonly expires_in_s: number
  }
}

/** Callers can fetch it now. */
export interface ArtifactReady extends Answer {
  readonly state: "ready"
}

export interface AskInput {
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
  readonly input_key: string
  readonly prompt: string
  readonly schema: JsonObject
  readonly expires_in_s: number
  readonly on_timeout: InputTimeout
  readonly default?: Json | undefined
  readonly mode: InputMode
}

/** The caller is asked, or has answered already. */
export interface Asked extends Answer {
  readonly input_id: string
  readonly status: Open<KnownExecutionStatus>
  readonly input_answer?: InputAnswer
}

export interface KeepCheckpoint {
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
  /** At most 64 KiB of JSON, for the next attempt alone. */
  readonly value: Json
}

export interface CompleteExecution {
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
  readonly outcome: "completed" | "error" | "cancelled"
  /** What the work produced, with the outcome completed only. null: none, as when left out. */
  readonly result?: JsonObject | null | undefined
  /**
   * Why it failed, required with the outcome error; or why it was cancelled. null: none, as when left out.
   */
  readonly error?: {
    readonly message: string
    readonly retryable?: boolean | undefined
    /** Milliseconds to wait before the next attempt, with `retryable`; by the task's policy unless given. */
    readonly delay_ms?: number | undefined
  } | null | undefined
  /** Lines of the log, oldest first. The newest 1000 of an execution are kept. */
  readonly logs?: ReadonlyArray<SaidLine> | undefined
}

/** The attempt is over. */
export interface Completed extends Answer {
  readonly status: Open<KnownExecutionStatus>
  /** Milliseconds until the next attempt may begin; only where the execution is queued again. */
  readonly retry_in_ms?: number
}

export interface ReleaseExecution {
  /** The fencing token of the lease. One that was never given out is stale, like an old one. */
  readonly epoch: number
  readonly reason: string
  readonly delay_ms?: number | undefined
}

/** The execution waits for a runner again. */
export interface GivenBack extends Answer {
  readonly status: Open<KnownExecutionStatus>
}

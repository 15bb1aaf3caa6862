/** The runner API's JSON. Durations come from the service, so that clocks are never compared. */
import type { Json, JsonObject } from "../wire/Json.ts"

/** The right to run one execution for one attempt. Every write of a runner names it. */
export interface LeaseRef {
  readonly execution_id: string
  readonly epoch: number
}

export interface OpenSession {
  readonly instance_id: string
  readonly runner_name: string
  readonly version?: string
  readonly agent_ids?: ReadonlyArray<string>
  readonly capacity: number
  readonly labels?: Readonly<Record<string, string>>
}

/** The durations a runner lives by, in milliseconds. */
export interface SessionConfig {
  readonly poll_wait_ms: number
  readonly lease_ms: number
  readonly heartbeat_ms: number
  readonly start_deadline_ms: number
  /** How long work has to obey a cancel. */
  readonly cancel_grace_ms: number
  /** How long after a cancel files are still taken. */
  readonly finalize_ms: number
  readonly max_artifact_bytes: number
}

export interface ServedAgent {
  readonly id: string
  readonly name: string
  readonly capacity: number
}

export interface Session {
  readonly session_id: string
  readonly config: SessionConfig
  readonly agents: ReadonlyArray<ServedAgent>
  /** What the instance still holds from before. */
  readonly recover: ReadonlyArray<Claim>
}

export interface TaskRef {
  readonly id: string
  readonly slug: string
  readonly version_id: string
  /** Number of the version. */
  readonly number: number
}

export interface InputAnswer {
  readonly input_id: string
  readonly input_key: string
  readonly value: Json
}

/** Work to do. */
export interface Claim extends LeaseRef {
  readonly attempt: number
  readonly fencing_token: number
  /** How long until the lease ends unless the work is started. */
  readonly lease_ms: number
  /** `queued` unless the work was begun before, which only recovered work can be. */
  readonly status: string
  readonly task: TaskRef
  readonly agent_id: string
  readonly params: JsonObject
  readonly reference: string
  readonly metadata: JsonObject
  readonly timeout_ms: number | null
  readonly input_answer?: InputAnswer
}

export interface ClaimWork {
  readonly session_id: string
  /** Repeating it while its leases live answers the same work. */
  readonly claim_id: string
  /** 0: commands only. */
  readonly free_slots: number
  readonly wait_ms?: number
  readonly in_flight?: ReadonlyArray<LeaseRef>
  readonly draining?: boolean
  /** The work begins with the claim; services that give no `outcomes` with their answers do not know it. */
  readonly start?: boolean
  /** Likewise. */
  readonly outcomes?: ReadonlyArray<LeaseRef & Outcome>
}

export type Command =
  | ({ readonly type: "cancel"; readonly reason: string; readonly grace_ms: number } & LeaseRef)
  | {
      readonly type: "input_answered"
      readonly execution_id: string
      readonly input_id: string
      readonly value: Json
    }
  | { readonly type: "drain" }

/** What the service says about work that a runner believes to hold. */
export interface News {
  readonly commands: ReadonlyArray<Command>
  /** Somebody else has it, or nobody: nothing can be written any more. */
  readonly lost: ReadonlyArray<LeaseRef>
}

export interface ClaimAnswer extends News {
  readonly claims: ReadonlyArray<Claim>
  /** What became of each of the `outcomes` that the claim brought; older services give none at all. */
  readonly outcomes?: ReadonlyArray<OutcomeAnswer>
}

export type OutcomeAnswer =
  | (LeaseRef & { readonly accepted: true; readonly status: string })
  | (LeaseRef & { readonly accepted: false; readonly http_status: number; readonly error: ErrorObject })

/** What `/complete` would have been refused with. */
export interface ErrorObject {
  readonly code: string
  readonly message: string
  readonly details: Json
  readonly request_id: string
}

/** How far work has come. The service writes it to its log at level debug, and keeps it nowhere. */
export interface Progress {
  /** From 0 to 100. */
  readonly percent?: number
  /** At most 1,000 characters. */
  readonly message?: string
  /** At most 200 characters. */
  readonly step?: string
}

export interface Beat extends LeaseRef {
  readonly progress?: Progress
}

export interface Heartbeat {
  readonly session_id: string
  readonly beats: ReadonlyArray<Beat>
}

export interface HeartbeatAnswer extends News {
  readonly leases: ReadonlyArray<{ readonly execution_id: string; readonly lease_ms: number }>
}

export interface Started {
  readonly status: string
  readonly lease_ms: number
}

export interface ArtifactFields {
  readonly kind: "download" | "print" | "screenshot" | "video"
  readonly file_name: string
  readonly content_type: string
  readonly size_bytes: number
  /** Of the bytes, in lower-case hex. */
  readonly sha256: string
  readonly platform_id?: string
  readonly handler?: string
  readonly started_offset_ms?: number
}

export interface ArtifactRegistered {
  readonly artifact_id: string
  readonly upload: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly expires_in_s: number
  }
}

export interface AskFields {
  readonly input_key: string
  readonly prompt: string
  readonly schema: JsonObject
  readonly expires_in_s: number
  readonly on_timeout: "error" | "cancel" | "default"
  readonly default?: Json
  readonly mode: "hold" | "release"
}

export interface Asked {
  readonly input_id: string
  readonly status: string
}

export type Outcome =
  | { readonly outcome: "completed"; readonly result?: object }
  | {
      readonly outcome: "error"
      readonly error: { readonly message: string; readonly retryable: boolean; readonly delay_ms?: number }
    }
  | { readonly outcome: "cancelled"; readonly error: { readonly message: string } }

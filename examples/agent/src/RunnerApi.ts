/** The runner API of Runhook as this example uses it: the JSON that goes over the wire. */

export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** The right to run one execution for one attempt. Every write of a runner names it. */
export interface LeaseRef {
  readonly execution_id: string
  readonly epoch: number
}

export interface Claim extends LeaseRef {
  readonly attempt: number
  /** `queued` unless the work was begun before, which only recovered claims can be. */
  readonly status: string
  /** How long the runner has to start the work, in milliseconds. */
  readonly lease_ms: number
  readonly task: {
    readonly id: string
    readonly slug: string
    readonly version_id: string
    readonly number: number
  }
  readonly params: JsonObject
}

export interface SessionRequest {
  /** The process's own name for itself: the same instance finds its session again. */
  readonly instance_id: string
  readonly runner_name: string
  readonly version: string
  /** How many executions it runs at once. */
  readonly capacity: number
}

export interface Session {
  readonly session_id: string
  /** How long things take, in milliseconds; the service decides, so that runners never compare clocks. */
  readonly config: {
    readonly poll_wait_ms: number
    readonly heartbeat_ms: number
    /** How long after its end an attempt may still deliver artifacts. */
    readonly finalize_ms: number
  }
  /** What an earlier life of this instance still holds. */
  readonly recover: ReadonlyArray<Claim>
}

export interface ClaimRequest {
  readonly session_id: string
  /** Names the request, so that repeating it after a lost answer gives the same claims. */
  readonly claim_id: string
  /** 0: commands only. */
  readonly free_slots: number
  readonly wait_ms: number
  readonly in_flight: ReadonlyArray<LeaseRef>
  readonly draining: boolean
}

export type Command =
  | ({ readonly type: "cancel"; readonly reason: string; readonly grace_ms: number } & LeaseRef)
  | { readonly type: "input_answered"; readonly execution_id: string; readonly input_id: string }
  | { readonly type: "drain" }

/** What the service says about work a runner believes to hold. */
export interface News {
  readonly commands: ReadonlyArray<Command>
  /** Somebody else has it, or nobody: stop, nothing can be written any more. */
  readonly lost: ReadonlyArray<LeaseRef>
}

export interface ClaimAnswer extends News {
  readonly claims: ReadonlyArray<Claim>
}

export interface Progress {
  readonly percent: number
  readonly step: string
}

export interface Beat extends LeaseRef {
  readonly progress?: Progress
}

export interface BeatAnswer extends News {
  readonly leases: ReadonlyArray<{ readonly execution_id: string; readonly lease_ms: number }>
}

/** A captured file before its bytes are sent. */
export interface ArtifactRequest {
  readonly kind: "download" | "print" | "screenshot" | "video"
  readonly file_name: string
  readonly content_type: string
  readonly size_bytes: number
  /** Of the bytes, in lower-case hex. */
  readonly sha256: string
  /** Videos only: when the recording began, in milliseconds since the work did. */
  readonly started_offset_ms?: number
  /** Videos only: the platform that is seen, and what drove it. */
  readonly platform_id?: string
  readonly handler?: string
}

export interface ArtifactUpload {
  readonly artifact_id: string
  readonly upload: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
  }
}

export type Outcome =
  | { readonly outcome: "completed"; readonly result: JsonObject }
  | { readonly outcome: "error"; readonly error: { readonly message: string; readonly retryable: boolean } }

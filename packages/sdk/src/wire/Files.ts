/** What a run captured. */
import type { Answer } from "./Envelope.ts"
import type { ExecutionStatus } from "./Executions.ts"

/** A download, a print or a screenshot. */
export interface FileArtifact {
  readonly id: string
  readonly file_name: string
  readonly content_type: string
  readonly size_bytes: number
  /** Stable link for `files.download` and `files.save`. */
  readonly url: string
}

/** A video of the session. */
export interface VideoArtifact {
  readonly platform_id: string | null
  readonly handler: string | null
  readonly started_offset_ms: number | null
  readonly storage_key: string
  /** Opens without a key until it expires. */
  readonly signed_url: string | null
  readonly expires_in_seconds: number
  readonly error: string | null
}

/** Everything the run captured. */
export interface ExecutionArtifacts extends Answer {
  readonly execution_id: string
  readonly status: ExecutionStatus
  readonly started_at: string | null
  readonly stopped_at: string | null
  readonly videos: ReadonlyArray<VideoArtifact>
  readonly downloads: ReadonlyArray<FileArtifact>
  readonly prints: ReadonlyArray<FileArtifact>
  readonly screenshots: ReadonlyArray<FileArtifact>
}

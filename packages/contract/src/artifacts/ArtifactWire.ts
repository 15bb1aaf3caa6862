/** Captured files and videos on the wire. */
import { ContentType, downloadGrantSeconds } from "@runhook/core/artifacts/Artifact"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { ArtifactId, ExecutionId, PlatformId } from "@runhook/core/shared/Ids"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"

export const FileArtifact = Schema.Struct({
  id: ArtifactId,
  file_name: Schema.String,
  content_type: ContentType,
  size_bytes: Schema.Int,
  url: Schema.String.pipe(described("Stable link, opened with the same key; redirects to a signed URL."))
}).annotate({ identifier: "FileArtifact", description: "A file the run captured." })

export const VideoArtifact = Schema.Struct({
  platform_id: Schema.NullOr(PlatformId),
  handler: Schema.NullOr(Schema.String),
  started_offset_ms: Schema.NullOr(Schema.Int),
  storage_key: Schema.String,
  signed_url: Schema.NullOr(Schema.String).pipe(described("Opens without a key until it expires.")),
  expires_in_seconds: Schema.Literal(downloadGrantSeconds),
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "VideoArtifact", description: "A video of the session." })

export const ExecutionArtifacts = bodyOf("ExecutionArtifacts", "Everything the run captured.", {
  execution_id: ExecutionId,
  status: ExecutionStatus,
  started_at: Schema.NullOr(Timestamp),
  stopped_at: Schema.NullOr(Timestamp),
  videos: Schema.Array(VideoArtifact),
  downloads: Schema.Array(FileArtifact),
  prints: Schema.Array(FileArtifact),
  screenshots: Schema.Array(FileArtifact)
})

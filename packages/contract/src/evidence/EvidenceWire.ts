/** Evidence of executions: the signed text, and the manifest in it, which the core makes. */
import { ArtifactKind, ContentType, FileName, Sha256Hex } from "@runhook/core/artifacts/Artifact"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import {
  AccountId,
  AgentId,
  ApiKeyId,
  ArtifactId,
  ExecutionId,
  ScheduleId,
  TaskId,
  TaskVersionId
} from "@runhook/core/shared/Ids"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"
import { HistoryEventItem } from "../executions/HistoryWire.ts"

export const ExecutionEvidence = bodyOf("ExecutionEvidence", "A signed statement of what ran.", {
  evidence: Schema.String.annotate({
    contentMediaType: "application/jose",
    contentSchema: { $ref: "#/components/schemas/EvidenceManifest" }
  }).pipe(
    described(
      "A compact JSON Web Signature by Ed25519 (`alg` is `EdDSA`) of an `EvidenceManifest`. Its `kid` names a key of /.well-known/runhook/jwks.json."
    )
  )
})

const EvidenceEvent = Schema.Struct(Struct.omit(HistoryEventItem.fields, ["data"])).annotate({
  identifier: "EvidenceEvent",
  description: "One change of an execution, as evidence states it."
})

const EvidenceFile = Schema.Struct({
  id: ArtifactId,
  kind: ArtifactKind,
  file_name: FileName,
  content_type: ContentType,
  size_bytes: Schema.Int,
  sha256: Sha256Hex
}).annotate({ identifier: "EvidenceFile", description: "A file of an execution, as evidence states it." })

/** The payload of the signature. */
export const EvidenceManifest = Schema.Struct({
  type: Schema.Literal("runhook.execution"),
  issuer: Schema.String.pipe(described("The base URL of the service.")),
  account_id: AccountId,
  execution_id: ExecutionId,
  status: ExecutionStatus,
  reference: Schema.String,
  requested_by: Schema.Struct({ key_id: ApiKeyId, name: Schema.String, request_id: Schema.String }).pipe(
    described("The API key in whose name it ran, and the request that made it.")
  ),
  rerun_of: Schema.NullOr(ExecutionId),
  schedule_id: Schema.NullOr(ScheduleId),
  task: Schema.Struct({
    id: TaskId,
    slug: Schema.String,
    version_id: TaskVersionId,
    version_number: Schema.Int
  }),
  agent: Schema.Struct({ id: AgentId, name: Schema.NullOr(Schema.String) }),
  attempts: Schema.Int.pipe(described("How often the work was started.")),
  created_at: Timestamp,
  started_at: Schema.NullOr(Timestamp),
  finished_at: Timestamp,
  params_sha256: Sha256Hex.pipe(
    described(
      'Of the canonical JSON (RFC 8785) of the params as the API shows them, with `"[secret]"` in place of each secret.'
    )
  ),
  result_sha256: Schema.NullOr(Sha256Hex).pipe(
    described("Of the canonical JSON (RFC 8785) of the result; null when there is none.")
  ),
  history: Schema.Array(EvidenceEvent).pipe(described("The changes, oldest first: the newest 2,000.")),
  files: Schema.Array(EvidenceFile),
  files_complete: Schema.Boolean.pipe(
    described("Whether no more files can come: an attempt may upload files for five minutes after its end.")
  )
}).annotate({
  identifier: "EvidenceManifest",
  description: "What evidence states of an execution that has ended."
})

/** Sessions, claims and commands on the wire. */
import { Name } from "@runhook/core/accounts/Account"
import { isOneLine } from "@runhook/core/shared/OneLine"
import {
  ArtifactKind,
  captureIssues,
  ContentType,
  FileName,
  Sha256Hex
} from "@runhook/core/artifacts/Artifact"
import { Capacity, Labels } from "@runhook/core/catalog/Agent"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { retryWaitMax } from "@runhook/core/executions/RetryBackoff"
import {
  AgentId,
  ArtifactId,
  ExecutionId,
  InputId,
  PlatformId,
  SessionId,
  TaskId,
  TaskVersionId
} from "@runhook/core/shared/Ids"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import { isStorable } from "@runhook/core/shared/json/JsonText"
import { StoredObjectFromValue } from "@runhook/core/shared/json/StoredJson"
import { statusReasonLengthMax } from "@runhook/core/runs/EndMoves"
import {
  inputExpirySecondsMax,
  inputKeyLengthMax,
  InputMode,
  inputPromptLengthMax,
  InputTimeout
} from "@runhook/core/runs/InputRequest"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"
import { saidLines } from "../executions/LogWire.ts"
import { OutcomeAnswer, OutcomeItem } from "./OutcomeWire.ts"
import { count, Epoch, inFlightMax, text } from "./RunnerFields.ts"

/** The most executions that one claim may take. */
export const claimSizeMax = 100

/** The most outcomes in one claim: a session can hold no more work than that. */
const outcomesMax = inFlightMax

export const OpenSessionBody = Schema.Struct({
  instance_id: text(1, 255)
    .check(isOneLine)
    .pipe(described("The process's own name for itself; the same name finds the session again.")),
  runner_name: Name,
  version: Schema.optionalKey(text(1, 100).check(isOneLine)),
  agent_ids: Schema.optionalKey(Schema.Array(AgentId)).pipe(described("All the key may serve unless given.")),
  capacity: Capacity,
  labels: Schema.optionalKey(Labels)
}).annotate({ identifier: "OpenSession" })

export const SessionConfig = Schema.Struct({
  poll_wait_ms: Schema.Int,
  lease_ms: Schema.Int,
  heartbeat_ms: Schema.Int,
  start_deadline_ms: Schema.Int,
  cancel_grace_ms: Schema.Int.pipe(described("How long a runner has to obey a cancel.")),
  finalize_ms: Schema.Int.pipe(described("How long after a cancel files are still accepted.")),
  max_artifact_bytes: Schema.Int
}).annotate({ identifier: "SessionConfig", description: "The durations a runner keeps, in milliseconds." })

export const InputAnswer = Schema.Struct({
  input_id: InputId,
  input_key: Schema.String,
  value: Schema.Json
}).annotate({
  identifier: "InputAnswer"
})

export const Claim = Schema.Struct({
  execution_id: ExecutionId,
  attempt: Schema.Int,
  epoch: Epoch,
  lease_ms: Schema.Int.pipe(
    described("How long until the lease ends, unless the work is started or the lease extended.")
  ),
  fencing_token: Epoch,
  status: ExecutionStatus.pipe(
    described("queued, unless the work was already started, as recovered work may be.")
  ),
  task: Schema.Struct({ id: TaskId, slug: Schema.String, version_id: TaskVersionId, number: Schema.Int }),
  agent_id: AgentId,
  params: StoredObjectFromValue.pipe(described("With the schema's defaults filled in.")),
  reference: Schema.String,
  metadata: StoredObjectFromValue,
  timeout_ms: Schema.NullOr(Schema.Int),
  traceparent: Schema.optionalKey(Schema.String).pipe(
    described(
      "The place of the execution in its caller's trace, by W3C Trace Context; absent if it has none."
    )
  ),
  input_answer: Schema.optionalKey(InputAnswer),
  checkpoint: Schema.optionalKey(Schema.Json).pipe(
    described("What was last kept by `/checkpoint`; absent if nothing was.")
  )
}).annotate({ identifier: "Claim", description: "Work to do." })

export const SessionOpened = bodyOf(
  "SessionOpened",
  "The session is open; `recover` is the work that the instance still holds from before.",
  {
    session_id: SessionId,
    config: SessionConfig,
    agents: Schema.Array(Schema.Struct({ id: AgentId, name: Name, capacity: Capacity })),
    recover: Schema.Array(Claim)
  }
)

const InFlight = Schema.Struct({ execution_id: ExecutionId, epoch: Epoch }).annotate({
  identifier: "InFlight",
  description: "Work that a runner holds, or believes to hold."
})

const inFlightList = Schema.Array(InFlight).check(Schema.isMaxLength(inFlightMax))

export const ClaimBody = Schema.Struct({
  session_id: SessionId,
  claim_id: text(1, 128).pipe(described("Repeating it while its leases live answers the same work.")),
  free_slots: count(0, claimSizeMax).pipe(
    described("The most executions wanted; large ones come in several answers. 0 asks for commands only.")
  ),
  wait_ms: Schema.optionalKey(count(0, 60_000)),
  start: Schema.optionalKey(Schema.Boolean).pipe(
    described(
      "The claim also starts the work, as `/start` does. Work that continues with an `input_answer` still needs its `/start`."
    )
  ),
  outcomes: Schema.optionalKey(Schema.Array(OutcomeItem).check(Schema.isMaxLength(outcomesMax))).pipe(
    described("Outcomes of work that has ended since the last claim.")
  ),
  in_flight: Schema.optionalKey(inFlightList),
  draining: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ClaimWork" })

export const Command = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("cancel"),
    execution_id: ExecutionId,
    epoch: Epoch,
    reason: Schema.String,
    grace_ms: Schema.Int
  }),
  Schema.Struct({
    type: Schema.Literal("input_answered"),
    execution_id: ExecutionId,
    input_id: InputId,
    value: Schema.Json
  }),
  Schema.Struct({ type: Schema.Literal("drain") })
]).annotate({ identifier: "Command", description: "Repeated until in_flight shows that it took effect." })

const news = {
  commands: Schema.Array(Command),
  lost: Schema.Array(InFlight)
}

export const ClaimAnswer = bodyOf(
  "ClaimAnswer",
  "Work, commands and losses, empty if nothing came in time; and the answer to each of the `outcomes`, in their order.",
  {
    claims: Schema.Array(Claim),
    ...news,
    outcomes: Schema.Array(OutcomeAnswer)
  }
)

export const HeartbeatBody = Schema.Struct({
  session_id: SessionId,
  beats: Schema.Array(
    Schema.Struct({
      execution_id: ExecutionId,
      epoch: Epoch,
      progress: Schema.optionalKey(
        Schema.Struct({
          percent: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))),
          message: Schema.optionalKey(text(0, 1_000)),
          step: Schema.optionalKey(text(0, 200))
        })
      ),
      logs: saidLines
    })
  ).check(Schema.isMaxLength(inFlightMax))
}).annotate({ identifier: "Heartbeat" })

export const HeartbeatAnswer = bodyOf(
  "HeartbeatAnswer",
  "The leases that the session has, commands, and in `lost` the work that it no longer holds.",
  {
    leases: Schema.Array(Schema.Struct({ execution_id: ExecutionId, lease_ms: Schema.Int })),
    ...news
  }
)

export const EpochBody = Schema.Struct({ epoch: Epoch }).annotate({ identifier: "Fenced" })

export const Started = bodyOf("Started", "The work has begun.", {
  status: ExecutionStatus,
  lease_ms: Schema.Int
})

export const RegisterArtifactBody = Schema.Struct({
  epoch: Epoch,
  kind: ArtifactKind,
  file_name: FileName,
  content_type: ContentType,
  size_bytes: count(0, Number.MAX_SAFE_INTEGER).pipe(
    described("At most 512 MiB, unless the host of the service sets another limit.")
  ),
  sha256: Sha256Hex,
  platform_id: Schema.optionalKey(PlatformId).pipe(
    described("The platform seen; videos only, and required.")
  ),
  handler: Schema.optionalKey(Name).pipe(described("What drove it; videos only, and required.")),
  started_offset_ms: Schema.optionalKey(count(0, Number.MAX_SAFE_INTEGER)).pipe(
    described(
      "When the recording began, after the start of the work; required for videos, and only for them."
    )
  )
})
  .check(
    Schema.makeFilter((body) => captureIssues(body).map(({ message, path }) => ({ path, issue: message })))
  )
  .annotate({ identifier: "RegisterArtifact" })

export const ArtifactRegistered = bodyOf("ArtifactRegistered", "Where to send the bytes.", {
  artifact_id: ArtifactId,
  upload: Schema.Struct({
    method: Schema.Literal("PUT"),
    url: Schema.String,
    headers: Schema.Record(Schema.String, Schema.String),
    expires_in_s: Schema.Int
  })
})

export const ArtifactReady = bodyOf("ArtifactReady", "Callers can fetch it now.", {
  state: Schema.Literal("ready")
})

export const AskBody = Schema.Struct({
  epoch: Epoch,
  input_key: text(1, inputKeyLengthMax),
  prompt: text(1, inputPromptLengthMax),
  schema: KnownJsonObject.check(isStorable),
  expires_in_s: count(1, inputExpirySecondsMax),
  on_timeout: InputTimeout,
  default: Schema.optionalKey(Schema.Json.check(isStorable)),
  mode: InputMode
}).annotate({ identifier: "AskInput" })

export const Asked = bodyOf("Asked", "The caller is asked, or has answered already.", {
  input_id: InputId,
  status: ExecutionStatus,
  input_answer: Schema.optionalKey(InputAnswer)
})

export const CheckpointBody = Schema.Struct({
  epoch: Epoch,
  value: Schema.Json.check(isStorable).pipe(described("At most 64 KiB of JSON, for the next attempt alone."))
}).annotate({ identifier: "KeepCheckpoint" })

export const GiveBackBody = Schema.Struct({
  epoch: Epoch,
  reason: text(1, statusReasonLengthMax),
  delay_ms: Schema.optionalKey(count(0, Duration.toMillis(retryWaitMax)))
}).annotate({ identifier: "ReleaseExecution" })

export const GivenBack = bodyOf("GivenBack", "The execution waits for a runner again.", {
  status: ExecutionStatus
})

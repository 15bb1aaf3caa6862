/** What a runner says and is told, from its first call to the outcome. */
import { CompleteBody, Completed } from "../../wire/OutcomeWire.ts"
import {
  ArtifactReady,
  ArtifactRegistered,
  AskBody,
  Asked,
  ClaimAnswer,
  ClaimBody,
  EpochBody,
  GiveBackBody,
  GivenBack,
  HeartbeatAnswer,
  HeartbeatBody,
  OpenSessionBody,
  RegisterArtifactBody,
  SessionOpened,
  Started
} from "../../wire/RunnerWire.ts"
import { exampleOf } from "./Example.ts"
import { ids, metadata, params, question, reference, requestId, result, sha256 } from "./Names.ts"

const held = { execution_id: ids.execution, epoch: 1 }
const ended = { execution_id: ids.otherExecution, epoch: 1 }

const claim = {
  ...held,
  attempt: 1,
  lease_ms: 60_000,
  fencing_token: 1,
  status: "queued",
  task: { id: ids.task, slug: "download-invoice", version_id: ids.version, number: 2 },
  agent_id: ids.agent,
  params,
  reference,
  metadata,
  timeout_ms: 900_000
} as const

const cancel = {
  ...held,
  type: "cancel",
  reason: "The customer withdrew the order",
  grace_ms: 30_000
} as const

export const runnerExamples = [
  exampleOf(OpenSessionBody, {
    instance_id: "cellar-1",
    runner_name: "Cellar",
    version: "2.4.0",
    agent_ids: [ids.agent],
    capacity: 2,
    labels: { region: "eu" }
  }),
  exampleOf(SessionOpened, {
    session_id: ids.session,
    config: {
      poll_wait_ms: 25_000,
      lease_ms: 60_000,
      heartbeat_ms: 15_000,
      start_deadline_ms: 60_000,
      cancel_grace_ms: 30_000,
      finalize_ms: 300_000,
      max_artifact_bytes: 536_870_912
    },
    agents: [{ id: ids.agent, name: "Invoice desk", capacity: 2 }],
    recover: [],
    request_id: requestId
  }),
  exampleOf(ClaimBody, {
    session_id: ids.session,
    claim_id: "cellar-1-000042",
    free_slots: 2,
    wait_ms: 0,
    in_flight: [],
    start: true,
    outcomes: [{ ...ended, outcome: "completed", result }]
  }),
  exampleOf(ClaimAnswer, {
    claims: [{ ...claim, status: "running" }],
    commands: [],
    lost: [],
    outcomes: [{ ...ended, accepted: true, status: "completed" }],
    request_id: requestId
  }),
  exampleOf(HeartbeatBody, {
    session_id: ids.session,
    beats: [{ ...held, progress: { percent: 40, step: "download", message: "Page 2 of 3" } }]
  }),
  exampleOf(HeartbeatAnswer, {
    leases: [{ execution_id: ids.execution, lease_ms: 60_000 }],
    commands: [cancel],
    lost: [],
    request_id: requestId
  }),
  exampleOf(EpochBody, { epoch: 1 }),
  exampleOf(Started, { status: "running", lease_ms: 60_000, request_id: requestId }),
  exampleOf(RegisterArtifactBody, {
    epoch: 1,
    kind: "download",
    file_name: "invoice-2026-0117.pdf",
    content_type: "application/pdf",
    size_bytes: 48_213,
    sha256
  }),
  exampleOf(ArtifactRegistered, {
    artifact_id: ids.file,
    upload: {
      method: "PUT",
      url: "https://runhook.example.com/storage?grant=<signature>",
      headers: { "content-type": "application/pdf" },
      expires_in_s: 900
    },
    request_id: requestId
  }),
  exampleOf(ArtifactReady, { state: "ready", request_id: requestId }),
  exampleOf(AskBody, {
    epoch: 1,
    input_key: question.key,
    prompt: question.prompt,
    schema: question.schema,
    expires_in_s: 86_400,
    on_timeout: "error",
    mode: "hold"
  }),
  exampleOf(Asked, { input_id: ids.input, status: "awaiting_input", request_id: requestId }),
  exampleOf(CompleteBody, { epoch: 1, outcome: "completed", result }),
  exampleOf(Completed, { status: "completed", request_id: requestId }),
  exampleOf(GiveBackBody, { epoch: 1, reason: "The browser did not start", delay_ms: 5_000 }),
  exampleOf(GivenBack, { status: "queued", request_id: requestId })
]

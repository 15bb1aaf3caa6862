/** How runners serve executions. */
import { ArtifactId, ExecutionId, SessionId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { RunnerAuthorization } from "../Authorization.ts"
import { operation } from "../Call.ts"
import { Conflict, Forbidden, NotFound } from "../Errors.ts"
import { BodyRuleStatus, JudgedByItem, RateLimiting, RequestRules } from "../RequestRules.ts"
import { CompleteBody, Completed } from "./OutcomeWire.ts"
import {
  ArtifactReady,
  ArtifactRegistered,
  AskBody,
  Asked,
  CheckpointBody,
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
} from "./RunnerWire.ts"

const id = { id: ExecutionId }
const fenced = [NotFound, Conflict] as const

export class RunnerEndpoints extends HttpApiGroup.make("runner")
  .add(
    HttpApiEndpoint.post("openSession", "/sessions", {
      payload: OpenSessionBody,
      success: SessionOpened.pipe(HttpApiSchema.status(201)),
      error: Forbidden
    }).annotateMerge(
      operation({
        summary: "Open a session",
        description:
          "Introduces a runner process. The same `instance_id` finds its session again, with the work it still holds. A key may have a hundred sessions at once.",
        isRepeatable: true
      })
    ),
    HttpApiEndpoint.delete("closeSession", "/sessions/:id", {
      params: { id: SessionId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(
      operation({
        summary: "Leave",
        description: "Ends a session. Work that was claimed and not started goes back to the queue at once."
      })
    ),
    HttpApiEndpoint.post("claim", "/claims", { payload: ClaimBody, success: ClaimAnswer, error: NotFound })
      .annotateMerge(
        operation({
          summary: "Wait for work and commands",
          description:
            "The long poll of a runner: it brings work and commands, and shows that the runner is alive. Repeat a claim under the same `claim_id` until it is answered: if an answer with work gets lost, the next one brings the same work. " +
            "With `start`, work begins as it is claimed, and counts as an attempt whether or not the answer arrives. `outcomes` are stored before the service looks for work. Each is answered separately, in their order, as `/complete` would answer it; an outcome whose `execution_id` or `epoch` cannot be read fails the whole request. A claim does not wait if it brings `outcomes` and wants no work, or if one of them is refused.",
          isRepeatable: true
        })
      )
      .annotate(JudgedByItem, ["outcomes"]),
    HttpApiEndpoint.post("heartbeat", "/heartbeats", {
      payload: HeartbeatBody,
      success: HeartbeatAnswer,
      error: NotFound
    }).annotateMerge(
      operation({
        summary: "Extend the leases of a process",
        description:
          "Names the executions that the process is working on, and extends their leases. A lease that would gain only a few seconds stays as it is; `lease_ms` says how much is left.",
        isRepeatable: true
      })
    ),
    HttpApiEndpoint.post("start", "/executions/:id/start", {
      params: id,
      payload: EpochBody,
      success: Started,
      error: fenced
    }).annotateMerge(
      operation({
        summary: "Begin the work",
        description:
          "Moves a claimed execution from queued to running. Repeating it within one lease is harmless.",
        isRepeatable: true
      })
    ),
    HttpApiEndpoint.post("registerArtifact", "/executions/:id/artifacts", {
      params: id,
      payload: RegisterArtifactBody,
      success: ArtifactRegistered.pipe(HttpApiSchema.status(201)),
      error: fenced
    }).annotateMerge(
      operation({
        summary: "Announce a captured file",
        description:
          "Registers a file that the run captured, and says where to upload its bytes. An equal request gets the same file. A file that is never completed is removed once its attempt can no longer complete it, after an hour at the earliest.",
        isRepeatable: true
      })
    ),
    HttpApiEndpoint.post("completeArtifact", "/executions/:id/artifacts/:artifactId/complete", {
      params: { id: ExecutionId, artifactId: ArtifactId },
      payload: EpochBody,
      success: ArtifactReady,
      error: fenced
    }).annotateMerge(
      operation({
        summary: "Show an uploaded file to callers",
        description: "Checks size and hash of the uploaded bytes. From then on callers see the file.",
        isRepeatable: true
      })
    ),
    HttpApiEndpoint.post("ask", "/executions/:id/inputs", {
      params: id,
      payload: AskBody,
      success: Asked.pipe(HttpApiSchema.status(201)),
      error: fenced
    }).annotateMerge(
      operation({
        summary: "Ask the caller for a value",
        description:
          "Asks the caller for a value, which the execution then awaits. If this question was already answered, under the same `input_key` and `schema` in this attempt or an earlier one, the answer comes at once as `input_answer`, and the work goes on.",
        isRepeatable: true
      })
    ),
    HttpApiEndpoint.post("keepCheckpoint", "/executions/:id/checkpoint", {
      params: id,
      payload: CheckpointBody,
      success: HttpApiSchema.NoContent,
      error: fenced
    })
      .annotateMerge(
        operation({
          summary: "Keep how far the work is",
          description:
            "Keeps a value for the next attempt, in place of the one before: the claim that begins it brings the value as `checkpoint`. So does the claim of work that continues, and `recover` of a session. A rerun begins without.",
          isRepeatable: true
        })
      )
      .annotate(BodyRuleStatus, 422),
    HttpApiEndpoint.post("complete", "/executions/:id/complete", {
      params: id,
      payload: CompleteBody,
      success: Completed,
      error: fenced
    })
      .annotateMerge(
        operation({
          summary: "Report the outcome",
          description: "Ends the attempt. An equal repeat answers the same.",
          isRepeatable: true
        })
      )
      .annotate(BodyRuleStatus, 422),
    HttpApiEndpoint.post("giveBack", "/executions/:id/release", {
      params: id,
      payload: GiveBackBody,
      success: GivenBack,
      error: fenced
    }).annotateMerge(
      operation({
        summary: "Give back what was not started",
        description: "Returns a claimed execution to the queue, at once or after a delay.",
        isRepeatable: true
      })
    )
  )
  .middleware(RequestRules)
  .middleware(RateLimiting)
  .middleware(RunnerAuthorization)
  .prefix("/api/v1/runner")
  .annotate(OpenApi.Description, "Serve executions: sessions, claims, heartbeats, artifacts, outcomes.") {}

/** How runners serve executions. */
import { ArtifactId, ExecutionId, SessionId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { RunnerAuthorization } from "../Authorization.ts"
import { Conflict, Forbidden, NotFound, TooManyRequests, Unauthorized, Unprocessable } from "../Errors.ts"
import { BodyRuleStatus, JudgedByItem, RateLimiting, RequestRules } from "../RequestRules.ts"
import { CompleteBody, Completed } from "../wire/OutcomeWire.ts"
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
} from "../wire/RunnerWire.ts"

const id = { id: ExecutionId }
const fenced = [NotFound, Conflict] as const

export class RunnerEndpoints extends HttpApiGroup.make("runner")
  .add(
    HttpApiEndpoint.post("openSession", "/sessions", {
      payload: OpenSessionBody,
      success: SessionOpened.pipe(HttpApiSchema.status(201)),
      error: [Forbidden, TooManyRequests]
    })
      .annotate(OpenApi.Summary, "Open a session")
      .annotate(
        OpenApi.Description,
        "Introduces a runner process. The same `instance_id` finds its session again, with the work it still holds. A key may have a hundred sessions at once."
      ),
    HttpApiEndpoint.delete("closeSession", "/sessions/:id", {
      params: { id: SessionId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Leave")
      .annotate(
        OpenApi.Description,
        "Ends a session. Work that was claimed and not started goes back to the queue at once."
      ),
    HttpApiEndpoint.post("claim", "/claims", {
      payload: ClaimBody,
      success: ClaimAnswer,
      error: [NotFound, Unauthorized]
    })
      .annotate(OpenApi.Summary, "Wait for work and commands")
      .annotate(
        OpenApi.Description,
        "The long poll of a runner: it gives work and commands, and proves that the runner lives. Repeat a claim under its `claim_id` until it is answered: should an answer be lost that brought work, the next one brings the same. " +
          "With `start` the work begins with the claim, and counts as an attempt whether or not its answer arrives. `outcomes` are stored before work is looked for, and each is answered by itself, in their order, as `/complete` would have done; one whose `execution_id` or `epoch` cannot be read fails the request. A claim that brings `outcomes` and wants no work, or has one of them refused, does not wait."
      )
      .annotate(JudgedByItem, ["outcomes"]),
    HttpApiEndpoint.post("heartbeat", "/heartbeats", {
      payload: HeartbeatBody,
      success: HeartbeatAnswer,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Extend the leases of a process")
      .annotate(
        OpenApi.Description,
        "Says which executions the process is at work on, and extends their leases. One that this would make a few seconds longer at most stays as it is: `lease_ms` says what is left."
      ),
    HttpApiEndpoint.post("start", "/executions/:id/start", {
      params: id,
      payload: EpochBody,
      success: Started,
      error: fenced
    })
      .annotate(OpenApi.Summary, "Begin the work")
      .annotate(
        OpenApi.Description,
        "Moves a claimed execution from queued to running. Repeating it within one lease is harmless."
      ),
    HttpApiEndpoint.post("registerArtifact", "/executions/:id/artifacts", {
      params: id,
      payload: RegisterArtifactBody,
      success: ArtifactRegistered.pipe(HttpApiSchema.status(201)),
      error: [...fenced, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Announce a captured file")
      .annotate(
        OpenApi.Description,
        "Notes a file that the run captured, and answers where to upload its bytes. An equal request answers the same file. A file that is not completed is forgotten, an hour later at the earliest, once its attempt can no longer complete it."
      ),
    HttpApiEndpoint.post("completeArtifact", "/executions/:id/artifacts/:artifactId/complete", {
      params: { id: ExecutionId, artifactId: ArtifactId },
      payload: EpochBody,
      success: ArtifactReady,
      error: [...fenced, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Show an uploaded file to callers")
      .annotate(
        OpenApi.Description,
        "Checks size and hash of the uploaded bytes. From then on callers see the file."
      ),
    HttpApiEndpoint.post("ask", "/executions/:id/inputs", {
      params: id,
      payload: AskBody,
      success: Asked.pipe(HttpApiSchema.status(201)),
      error: [...fenced, TooManyRequests, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Ask the caller for a value")
      .annotate(
        OpenApi.Description,
        "Asks the integration for a value, and lets the execution await it. A question that was already answered under this `input_key` and `schema`, in this attempt or an earlier one, is answered at once: then `input_answer` is there and the work goes on."
      ),
    HttpApiEndpoint.post("complete", "/executions/:id/complete", {
      params: id,
      payload: CompleteBody,
      success: Completed,
      error: [...fenced, TooManyRequests, Unprocessable]
    })
      .annotate(BodyRuleStatus, 422)
      .annotate(OpenApi.Summary, "Report the outcome")
      .annotate(OpenApi.Description, "Ends the attempt. An equal repeat answers the same."),
    HttpApiEndpoint.post("giveBack", "/executions/:id/release", {
      params: id,
      payload: GiveBackBody,
      success: GivenBack,
      error: fenced
    })
      .annotate(OpenApi.Summary, "Give back what was not started")
      .annotate(OpenApi.Description, "Returns a claimed execution to the queue, at once or after a delay.")
  )
  .middleware(RequestRules)
  .middleware(RateLimiting)
  .middleware(RunnerAuthorization)
  .prefix("/api/v1/runner")
  .annotate(OpenApi.Description, "Serve executions: sessions, claims, heartbeats, artifacts, outcomes.") {}

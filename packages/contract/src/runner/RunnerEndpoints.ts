/** How runners serve executions. */
import { ArtifactId, ExecutionId, SessionId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { RunnerAuthorization } from "../Authorization.ts"
import { Conflict, Forbidden, NotFound, Unprocessable } from "../Errors.ts"
import { RequestRules, RequestText } from "../RequestRules.ts"
import {
  ArtifactReady,
  ArtifactRegistered,
  AskBody,
  Asked,
  ClaimAnswer,
  ClaimBody,
  CompleteBody,
  Completed,
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
      error: Forbidden
    }).annotate(OpenApi.Summary, "Open a session"),
    HttpApiEndpoint.delete("closeSession", "/sessions/:id", {
      params: { id: SessionId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Leave"),
    HttpApiEndpoint.post("claim", "/claims", {
      payload: ClaimBody,
      success: ClaimAnswer,
      error: NotFound
    }).annotate(OpenApi.Summary, "Wait for work and commands"),
    HttpApiEndpoint.post("heartbeat", "/heartbeats", {
      payload: HeartbeatBody,
      success: HeartbeatAnswer,
      error: NotFound
    }).annotate(OpenApi.Summary, "Extend the leases of a process"),
    HttpApiEndpoint.post("start", "/executions/:id/start", {
      params: id,
      payload: EpochBody,
      success: Started,
      error: fenced
    }).annotate(OpenApi.Summary, "Begin the work"),
    HttpApiEndpoint.post("registerArtifact", "/executions/:id/artifacts", {
      params: id,
      payload: RegisterArtifactBody,
      success: ArtifactRegistered.pipe(HttpApiSchema.status(201)),
      error: [...fenced, Unprocessable]
    }).annotate(OpenApi.Summary, "Announce a captured file"),
    HttpApiEndpoint.post("completeArtifact", "/executions/:id/artifacts/:artifactId/complete", {
      params: { id: ExecutionId, artifactId: ArtifactId },
      payload: EpochBody,
      success: ArtifactReady,
      error: [...fenced, Unprocessable]
    }).annotate(OpenApi.Summary, "Show an uploaded file to callers"),
    HttpApiEndpoint.post("ask", "/executions/:id/inputs", {
      params: id,
      payload: AskBody,
      success: Asked.pipe(HttpApiSchema.status(201)),
      error: [...fenced, Unprocessable]
    }).annotate(OpenApi.Summary, "Ask the caller for a value"),
    HttpApiEndpoint.post("complete", "/executions/:id/complete", {
      params: id,
      payload: CompleteBody,
      success: Completed,
      error: [...fenced, Unprocessable]
    }).annotate(OpenApi.Summary, "Report the outcome"),
    HttpApiEndpoint.post("giveBack", "/executions/:id/release", {
      params: id,
      payload: GiveBackBody,
      success: GivenBack,
      error: fenced
    }).annotate(OpenApi.Summary, "Give back what was not started")
  )
  .middleware(RequestText)
  .middleware(RunnerAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/runner")
  .annotate(OpenApi.Description, "Serve executions: sessions, claims, heartbeats, artifacts, outcomes.") {}

/** Replays of many deliveries of a key. */
import { ReplayId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { forKeys } from "../Audiences.ts"
import { Forbidden, NotFound } from "../Errors.ts"
import { TakesTurns } from "../Turns.ts"
import { optional } from "../wire/Envelope.ts"
import { ReplayBody, ReplayDetail, ReplayPage, replayQuery, WouldReplay } from "../wire/ReplayWire.ts"

const replay = { id: ReplayId }

export class ReplayEndpoints extends HttpApiGroup.make("replays")
  .add(
    HttpApiEndpoint.post("begin", "/webhooks/replays", {
      payload: optional(ReplayBody),
      success: [ReplayDetail.pipe(HttpApiSchema.status(202)), WouldReplay],
      error: Forbidden
    })
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "Send dead deliveries of the key again")
      .annotate(
        OpenApi.Description,
        "Begins a job that makes settled deliveries of the key due again: all dead ones unless the body chooses. With `dry_run` it says how many that would be, and begins nothing."
      ),
    HttpApiEndpoint.get("list", "/webhooks/replays", {
      query: replayQuery,
      success: ReplayPage,
      error: Forbidden
    })
      .annotate(OpenApi.Summary, "List replays")
      .annotate(
        OpenApi.Description,
        "The jobs of the key, newest first. A job is removed 30 days after its end."
      ),
    HttpApiEndpoint.get("get", "/webhooks/replays/:id", {
      params: replay,
      success: ReplayDetail,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "See how far a replay has come")
      .annotate(OpenApi.Description, "The job, and how many deliveries it has made due so far."),
    HttpApiEndpoint.post("cancel", "/webhooks/replays/:id/cancel", {
      params: replay,
      success: ReplayDetail,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Stop a replay")
      .annotate(OpenApi.Description, "Stops a job. Deliveries that it has already made due are still sent.")
  )
  .annotate(OpenApi.Description, "Replays of many deliveries, as jobs.")
  .pipe(forKeys) {}

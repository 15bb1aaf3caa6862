/** Replays of many deliveries of an account. */
import { ReplayId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { account, inAccount } from "../Audiences.ts"
import { DeclaredAccess } from "../Access.ts"
import { Forbidden, NotFound } from "../Errors.ts"
import { TakesTurns } from "../Turns.ts"
import { optional } from "../wire/Envelope.ts"
import { AdminReplayBody, ReplayDetail, ReplayPage, replayQuery, WouldReplay } from "../wire/ReplayWire.ts"

// Not below /deliveries: some would read `replays` as the id of a delivery, whose replay is
// `/deliveries/{id}/replay`.
const replay = { ...account, id: ReplayId }

export class AdminReplayEndpoints extends HttpApiGroup.make("replays")
  .add(
    HttpApiEndpoint.post("begin", "/deliveries/replays", {
      params: account,
      payload: optional(AdminReplayBody),
      success: [ReplayDetail.pipe(HttpApiSchema.status(202)), WouldReplay],
      error: [Forbidden, NotFound]
    })
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "Send dead deliveries again")
      .annotate(
        OpenApi.Description,
        "Begins a job that makes settled deliveries of the account due again: all dead ones unless the body chooses. With `dry_run` it says how many that would be, and begins nothing."
      )
      // Dry runs are for viewers; the handler requires more when a replay begins.
      .annotate(DeclaredAccess, "viewer"),
    HttpApiEndpoint.get("list", "/webhooks/replays", {
      params: account,
      query: replayQuery,
      success: ReplayPage,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "List replays")
      .annotate(
        OpenApi.Description,
        "The jobs of the account, including those of its keys, newest first. A job is removed 30 days after its end."
      ),
    HttpApiEndpoint.get("get", "/webhooks/replays/:id", {
      params: replay,
      success: ReplayDetail,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "See how far a replay has come")
      .annotate(OpenApi.Description, "The job, and how many deliveries it has made due so far."),
    HttpApiEndpoint.post("cancel", "/webhooks/replays/:id/cancel", {
      params: replay,
      success: ReplayDetail,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Stop a replay")
      .annotate(OpenApi.Description, "Stops a job. Deliveries that it has already made due are still sent.")
  )
  .annotate(OpenApi.Description, "Replays of many deliveries of an account, as jobs.")
  .pipe(inAccount) {}

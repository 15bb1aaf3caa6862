/** Replays of many deliveries: what the holder of a key and the members of an account do with them alike. */
import { ReplayId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as Schema from "effect/Schema"
import { DeclaredAccess } from "../Access.ts"
import { account, forKeys, inAccount } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { Forbidden, NotFound } from "../Errors.ts"
import { TakesTurns } from "../Turns.ts"
import { optional, pageQuery } from "../shared/Envelope.ts"
import { AdminReplayBody, ReplayBody, ReplayDetail, ReplayPage, WouldReplay } from "./ReplayWire.ts"

/** `path` is what names the account, `whose` says whose deliveries and `jobs` which jobs, in the documents. */
const replayEndpoints = <
  const Path extends Schema.Struct.Fields,
  const Begin extends `/${string}`,
  Body extends Schema.Top
>(
  path: Path,
  texts: {
    readonly begin: Begin
    readonly body: Body
    readonly summary: string
    readonly whose: string
    readonly jobs: string
    readonly noun: string
  }
) => {
  const params = { ...path, id: ReplayId }
  return [
    HttpApiEndpoint.post("begin", texts.begin, {
      params: path,
      payload: optional(texts.body),
      success: [ReplayDetail.pipe(HttpApiSchema.status(202)), WouldReplay],
      error: Forbidden
    })
      .annotateMerge(
        operation({
          path: "deliveries.replayAll",
          summary: texts.summary,
          description: `Begins a job that makes settled deliveries of ${texts.whose} due again: all dead ones unless the body chooses. With \`dry_run\` it says how many that would be, and begins nothing.`,
          says: "Begins to send again every delivery that matches and is settled by now, all dead ones unless the filter chooses. `replays` follows how far that has come.",
          answers: [ReplayDetail],
          example: 'const { id } = await runhook.deliveries.replayAll({ from: "2026-03-07T00:00:00Z" })',
          also: [
            {
              path: "deliveries.wouldReplay",
              says: "What `replayAll` would do: how many deliveries it would send again, to whom. Changes nothing.",
              isRepeatable: true,
              body: { dry_run: true },
              answers: [WouldReplay],
              example: "const { would_replay } = await runhook.deliveries.wouldReplay({ last_only: true })"
            }
          ]
        })
      )
      .annotate(TakesTurns, true)
      // Dry runs are for viewers; the handler requires more when a replay begins.
      .annotate(DeclaredAccess, "viewer"),
    HttpApiEndpoint.get("list", "/webhooks/replays", {
      params: path,
      query: pageQuery,
      success: ReplayPage,
      error: Forbidden
    }).annotateMerge(
      operation({
        path: `${texts.noun}.list`,
        summary: "List replays",
        description: `${texts.jobs}, newest first. A job is removed 30 days after its end.`,
        example: `for await (const { id, status } of runhook.${texts.noun}.list()) console.log(id, status)`
      })
    ),
    HttpApiEndpoint.get("get", "/webhooks/replays/:id", {
      params,
      success: ReplayDetail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: `${texts.noun}.get`,
        summary: "See how far a replay has come",
        description: "The job, and how many deliveries it has made due so far.",
        example: `const { status, replayed } = await runhook.${texts.noun}.get(id)`
      })
    ),
    HttpApiEndpoint.post("cancel", "/webhooks/replays/:id/cancel", {
      params,
      success: ReplayDetail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: `${texts.noun}.cancel`,
        summary: "Stop a replay",
        description: "Stops a job. Deliveries that it has already made due are still sent.",
        isRepeatable: true,
        example: `await runhook.${texts.noun}.cancel(id)`
      })
    )
  ] as const
}

export class ReplayEndpoints extends HttpApiGroup.make("replays")
  .add(
    ...replayEndpoints(
      {},
      {
        begin: "/webhooks/replays",
        body: ReplayBody,
        summary: "Send dead deliveries of the key again",
        whose: "the key",
        jobs: "The jobs of the key",
        noun: "deliveries.replays"
      }
    )
  )
  .annotate(OpenApi.Description, "Replays of many deliveries, as jobs.")
  .pipe(forKeys) {}

export class AdminReplayEndpoints extends HttpApiGroup.make("replays")
  .add(
    ...replayEndpoints(account, {
      begin: "/deliveries/replays",
      body: AdminReplayBody,
      summary: "Send dead deliveries again",
      whose: "the account",
      jobs: "The jobs of the account, including those of its keys",
      noun: "replays"
    })
  )
  .annotate(OpenApi.Description, "Replays of many deliveries of an account, as jobs.")
  .pipe(inAccount) {}

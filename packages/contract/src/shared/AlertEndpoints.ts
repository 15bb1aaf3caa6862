/** Alerts: what operators, members of an account and holders of a key do with them alike. */
import { testsMax } from "@runhook/core/domain/alert/AlertAllowance"
import { targetsMax } from "@runhook/core/domain/alert/AlertTarget"
import { AlertTargetId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as Schema from "effect/Schema"
import { type Access, DeclaredAccess } from "../Access.ts"
import { account, forKeys, forOperators, inAccount } from "../Audiences.ts"
import { Forbidden, NotFound, TooManyRequests, Unprocessable } from "../Errors.ts"
import {
  AlertList,
  AlertTargetChangeBody,
  AlertTargetCreated,
  AlertTargetDetail,
  AlertTargetList,
  AlertTargetTested,
  NewAlertTargetBody
} from "../wire/AlertWire.ts"

/** `path` is what names the account, `whose` says it in the documents; null: targets are read by whom the path is for. */
const alertEndpoints = <const Path extends Schema.Struct.Fields>(
  path: Path,
  { readBy = null, whose }: { readonly whose: string; readonly readBy?: Access | null }
) => {
  const params = { ...path, id: AlertTargetId }
  return [
    HttpApiEndpoint.get("list", "/alerts", {
      params: path,
      success: AlertList,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "List alerts")
      .annotate(OpenApi.Description, `What is wrong in ${whose}, and what was in the last days.`),
    HttpApiEndpoint.get("targets", "/alert-targets", {
      params: path,
      success: AlertTargetList,
      error: [Forbidden, NotFound]
    })
      .annotate(DeclaredAccess, readBy)
      .annotate(OpenApi.Summary, "List who is told of alerts")
      .annotate(OpenApi.Description, `The webhooks and mailboxes that are told of alerts in ${whose}.`),
    HttpApiEndpoint.post("addTarget", "/alert-targets", {
      params: path,
      payload: NewAlertTargetBody,
      success: AlertTargetCreated.pipe(HttpApiSchema.status(201)),
      error: [Forbidden, NotFound, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Tell somebody of alerts")
      .annotate(
        OpenApi.Description,
        `Adds a webhook or a mailbox that is told of alerts in ${whose}, at most ${targetsMax}.`
      ),
    HttpApiEndpoint.get("getTarget", "/alert-targets/:id", {
      params,
      success: AlertTargetDetail,
      error: [Forbidden, NotFound]
    })
      .annotate(DeclaredAccess, readBy)
      .annotate(OpenApi.Summary, "Get a target of alerts")
      .annotate(OpenApi.Description, "A target, and whether it took the last message."),
    HttpApiEndpoint.patch("changeTarget", "/alert-targets/:id", {
      params,
      payload: AlertTargetChangeBody,
      success: AlertTargetDetail,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Change or pause a target of alerts")
      .annotate(
        OpenApi.Description,
        "Changes what the body names. For another address or a new signing secret, add a new target and remove this one."
      ),
    HttpApiEndpoint.delete("removeTarget", "/alert-targets/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Remove a target of alerts")
      .annotate(OpenApi.Description, "It is told nothing more."),
    HttpApiEndpoint.post("testTarget", "/alert-targets/:id/test", {
      params,
      success: AlertTargetTested,
      error: [Forbidden, NotFound, TooManyRequests]
    })
      .annotate(OpenApi.Summary, "Send a test to a target of alerts")
      .annotate(
        OpenApi.Description,
        `Sends a message now, also during a pause, and answers whether it was taken: at most ${testsMax.ofOwner} in an hour, ${testsMax.ofMailbox} to one mailbox.`
      )
  ] as const
}

export class AlertEndpoints extends HttpApiGroup.make("alerts")
  .add(...alertEndpoints({}, { whose: "the account of the key" }))
  .annotate(OpenApi.Description, "What is wrong in the account, and who is told of it.")
  .pipe(forKeys) {}

/** Viewers are not shown the mailboxes of others. */
export class AdminAlertEndpoints extends HttpApiGroup.make("alerts")
  .add(...alertEndpoints(account, { whose: "the account", readBy: "admin" }))
  .annotate(OpenApi.Description, "What is wrong in an account, and who is told of it.")
  .pipe(inAccount) {}

export class ServiceAlertEndpoints extends HttpApiGroup.make("serviceAlerts")
  .add(...alertEndpoints({}, { whose: "any account" }))
  .annotate(
    OpenApi.Description,
    "What is wrong in any account, and which of the operator's targets are told."
  )
  .pipe(forOperators) {}

/** Alerts: what operators, members of an account and holders of a key do with them alike. */
import { testsMax } from "@runhook/core/alerts/AlertAllowance"
import { targetsMax } from "@runhook/core/alerts/AlertTarget"
import { AlertTargetId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as Schema from "effect/Schema"
import { type Access, DeclaredAccess } from "../Access.ts"
import { account, forKeys, forOperators, inAccount } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { Forbidden, NotFound } from "../Errors.ts"
import {
  AlertList,
  AlertTargetChangeBody,
  AlertTargetCreated,
  AlertTargetDetail,
  AlertTargetList,
  AlertTargetTested,
  NewAlertTargetBody
} from "./AlertWire.ts"

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
    }).annotateMerge(
      operation({
        path: "alerts.list",
        summary: "List alerts",
        description: `What is wrong in ${whose}, and what was in the last days.`,
        example:
          'for (const { title, closed_at } of (await runhook.alerts.list()).data) console.log(title, closed_at ?? "open")'
      })
    ),
    HttpApiEndpoint.get("targets", "/alert-targets", {
      params: path,
      success: AlertTargetList,
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          path: "alerts.targets.list",
          summary: "List alert targets",
          description: `The webhooks and mailboxes that are told of alerts in ${whose}, oldest first.`,
          example: "const { data } = await runhook.alerts.targets.list()"
        })
      )
      .annotate(DeclaredAccess, readBy),
    HttpApiEndpoint.post("addTarget", "/alert-targets", {
      params: path,
      payload: NewAlertTargetBody,
      success: AlertTargetCreated.pipe(HttpApiSchema.status(201)),
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: "alerts.targets.create",
        summary: "Add an alert target",
        description: `Adds a webhook or a mailbox that is told of alerts in ${whose}, at most ${targetsMax}. Only this answer has the signing secret.`,
        example:
          'const { id } = await runhook.alerts.targets.create({ channel: "email", address: "ops@example.com" })'
      })
    ),
    HttpApiEndpoint.get("getTarget", "/alert-targets/:id", {
      params,
      success: AlertTargetDetail,
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          path: "alerts.targets.get",
          summary: "Get an alert target",
          description: "A target, and whether it took the last message.",
          example: "const { last_error } = await runhook.alerts.targets.get(id)"
        })
      )
      .annotate(DeclaredAccess, readBy),
    HttpApiEndpoint.patch("changeTarget", "/alert-targets/:id", {
      params,
      payload: AlertTargetChangeBody,
      success: AlertTargetDetail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: "alerts.targets.update",
        summary: "Change or pause an alert target",
        description:
          "Chooses which alerts it gets, or pauses it. For another address or a new signing secret, add a new target and remove this one.",
        example: 'await runhook.alerts.targets.update(id, { paused_until: "2026-03-07T18:00:00Z" })'
      })
    ),
    HttpApiEndpoint.delete("removeTarget", "/alert-targets/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: "alerts.targets.remove",
        summary: "Remove an alert target",
        description: "Removes it: no further alerts are sent to it.",
        example: "await runhook.alerts.targets.remove(id)"
      })
    ),
    HttpApiEndpoint.post("testTarget", "/alert-targets/:id/test", {
      params,
      success: AlertTargetTested,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: "alerts.targets.test",
        summary: "Send a test to an alert target",
        description: `Sends a message now, also during a pause, and answers whether it was taken: at most ${testsMax.ofOwner} in an hour, ${testsMax.ofMailbox} to one mailbox.`,
        example: "const { taken, error } = await runhook.alerts.targets.test(id)"
      })
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

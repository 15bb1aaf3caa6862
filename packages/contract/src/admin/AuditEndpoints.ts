/** Who changed what in an account. */
import { AccountId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { inAccount } from "../Audiences.ts"
import { NotFound } from "../Errors.ts"
import { OtherForms } from "../RequestRules.ts"
import { AuditCsv, AuditPage, auditQuery } from "../wire/AuditWire.ts"

export class AuditEndpoints extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit", {
      params: { account_id: AccountId },
      query: auditQuery,
      success: [AuditPage, AuditCsv],
      error: NotFound
    })
      .annotate(OtherForms, ["text/csv"])
      .annotate(OpenApi.Summary, "Read the audit log")
      .annotate(
        OpenApi.Description,
        "Changes of the account's keys, agents and tasks, and interventions in its work: who, what, from where, before and after. Newest first; with `Accept: text/csv` all that match, for a spreadsheet."
      )
  )
  .annotate(OpenApi.Description, "Who changed what in an account, and when.")
  .pipe(inAccount) {}

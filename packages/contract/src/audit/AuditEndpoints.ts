/** Who changed what in an account. */
import { AccountId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { inAccount } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { OtherForms } from "../RequestRules.ts"
import { AuditCsv, AuditPage, auditQuery } from "./AuditWire.ts"

export class AuditEndpoints extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit", {
      params: { account_id: AccountId },
      query: auditQuery,
      success: [AuditPage, AuditCsv]
    })
      .annotateMerge(
        operation({
          summary: "Read the audit log",
          description:
            "Changes of the account's keys, agents and tasks, and interventions in its work: who, what, from where, before and after. Newest first; with `Accept: text/csv` all that match, for a spreadsheet.",
          says: "Changes of the account, newest first.",
          answers: [AuditPage],
          example:
            'for await (const { action, actor } of account.audit.list({ kind: "key" })) console.log(action, actor.name)',
          also: [
            {
              path: "audit.csv",
              kind: "call",
              says: "The same as comma-separated values: all that match, unless `limit` says how many.",
              answers: [AuditCsv],
              accept: "text/csv",
              example: 'const text = await account.audit.csv({ from: "2026-03-01T00:00:00Z" })'
            }
          ]
        })
      )
      .annotate(OtherForms, ["text/csv"])
  )
  .annotate(OpenApi.Description, "Who changed what in an account, and when.")
  .pipe(inAccount) {}

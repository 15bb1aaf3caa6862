/** How an account is doing. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { account, inAccount } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { Compressible } from "../Compression.ts"
import { TakesTurns } from "../Turns.ts"
import { OverviewBody, ReceiverList, receiverQuery, usageQuery, UsageReport } from "./UsageWire.ts"

export class UsageEndpoints extends HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("counted", "/usage", { params: account, query: usageQuery, success: UsageReport })
      .annotateMerge(
        operation({
          summary: "See what was counted by hour or day",
          description:
            "Executions, callbacks and requests of the account, counted as they happen and kept by hour and day. The counts are for people to look at: a killed process loses its last second.",
          example: 'const { totals } = await account.usage.counted({ by: "day", group: "key" })'
        })
      )
      .annotate(Compressible, true)
      .annotate(TakesTurns, true),
    HttpApiEndpoint.get("receivers", "/receivers", {
      params: account,
      query: receiverQuery,
      success: ReceiverList
    })
      .annotateMerge(
        operation({
          summary: "List receivers of callbacks",
          description:
            "Where the account's callbacks go, by origin, the worst first: the state of each, what was sent there in the last 24 hours, and what waits.",
          example: "const { data } = await account.usage.receivers({ limit: 10 })"
        })
      )
      .annotate(TakesTurns, true),
    HttpApiEndpoint.get("overview", "/overview", { params: account, success: OverviewBody })
      .annotateMerge(
        operation({
          summary: "See what is going on",
          description: "What runs, waits and asks in the account, and the runners that are present.",
          example: "const { running, queued } = await account.usage.overview()"
        })
      )
      .annotate(Compressible, true)
      .annotate(TakesTurns, true)
  )
  .annotate(OpenApi.Description, "Counts of an account, its receivers, and what is going on.")
  .pipe(inAccount) {}

/** How an account is doing. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { account, inAccount } from "../Audiences.ts"
import { calledAs } from "../Call.ts"
import { InvalidRequest, NotFound } from "../Errors.ts"
import { Compressible } from "../Compression.ts"
import { TakesTurns } from "../Turns.ts"
import { OverviewBody, ReceiverList, receiverQuery, usageQuery, UsageReport } from "../wire/UsageWire.ts"

export class UsageEndpoints extends HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("counted", "/usage", {
      params: account,
      query: usageQuery,
      success: UsageReport,
      error: [InvalidRequest, NotFound]
    })
      .annotateMerge(
        calledAs({
          path: "usage.counted",
          example: 'const { totals } = await account.usage.counted({ by: "day", group: "key" })'
        })
      )
      .annotate(Compressible, true)
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "See what was counted by hour or day")
      .annotate(
        OpenApi.Description,
        "Executions, callbacks and requests of the account, counted as they happen and kept by hour and day. The counts are for people to look at: a killed process loses its last second."
      ),
    HttpApiEndpoint.get("receivers", "/receivers", {
      params: account,
      query: receiverQuery,
      success: ReceiverList,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "usage.receivers",
          example: "const { data } = await account.usage.receivers({ limit: 10 })"
        })
      )
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "List receivers of callbacks")
      .annotate(
        OpenApi.Description,
        "Where the account's callbacks go, by origin, the worst first: the state of each, what was sent there in the last 24 hours, and what waits."
      ),
    HttpApiEndpoint.get("overview", "/overview", {
      params: account,
      success: OverviewBody,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "usage.overview",
          example: "const { running, queued } = await account.usage.overview()"
        })
      )
      .annotate(Compressible, true)
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "See what is going on")
      .annotate(
        OpenApi.Description,
        "What runs, waits and asks in the account, and the runners that are present."
      )
  )
  .annotate(OpenApi.Description, "Counts of an account, its receivers, and what is going on.")
  .pipe(inAccount) {}

/** What changes in an account, as it happens. */
import { AccountId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { inAccount } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { ChangeEvent } from "./ChangeWire.ts"

/** The form of a position. An unknown one is answered `reset`, not refused. */
const Position = Schema.String.check(Schema.isPattern(/^[!-~]{1,200}$/u)).annotate({
  description: "The `id` of the event to continue after."
})

const LastEventId = Schema.String.annotate({
  description: "The same, as browsers send it when they reconnect. It wins."
})

export class ChangeEndpoints extends HttpApiGroup.make("changes")
  .add(
    HttpApiEndpoint.get("follow", "/changes", {
      params: { account_id: AccountId },
      query: { after: Schema.optionalKey(Position) },
      headers: { "last-event-id": Schema.optionalKey(LastEventId) },
      success: HttpApiSchema.StreamSse({ events: ChangeEvent })
    }).annotateMerge(
      operation({
        kind: "stream",
        summary: "Follow what changes",
        description:
          "Server-Sent Events for as long as the connection lasts: `hello` first, then a `change` for each thing that changed (`kind`, `id`, its `state`, whether it `is_new`). `many` says that too much changed to list, and `reset` that changes were missed: fetch again what you show, all of it after `reset`. An event says that there is something to fetch; it never holds the thing itself. `Last-Event-ID`, or `after`, continues after an event with an `id`. A comment comes every 15 seconds when nothing else does."
      })
    )
  )
  .annotate(OpenApi.Description, "What changes in an account, as it happens.")
  .pipe(inAccount) {}

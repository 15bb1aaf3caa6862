/** What a key asks about itself. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { forKeys } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { TakesTurns } from "../Turns.ts"
import { Me } from "./KeyWire.ts"

export class KeyEndpoints extends HttpApiGroup.make("key")
  .add(
    HttpApiEndpoint.get("me", "/me", { success: Me })
      .annotateMerge(
        operation({
          path: "me",
          summary: "See what the key may do",
          description:
            "The calling key: its account, its scope, and its limits as they hold, beside what it has of them. Any key may ask.",
          example: "const { live, max_live } = await runhook.me()"
        })
      )
      .annotate(TakesTurns, true)
  )
  .annotate(OpenApi.Description, "The calling key.")
  .pipe(forKeys) {}

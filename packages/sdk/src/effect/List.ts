/** Lists as streams of items. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { atCursor } from "../requests/Describe.ts"
import type { Request } from "../requests/Request.ts"
import type { Page } from "../wire/Integration.ts"
import type { RunhookError } from "./Errors.ts"
import type { Send } from "./Send.ts"
import type { CallOptions } from "./Settings.ts"

/** Every item, fetched as it is read. The options hold for each page. */
export const streamOf = <Item>(
  firstPage: Request<Page<Item>, CallOptions>,
  send: Send
): Stream.Stream<Item, RunhookError> =>
  Stream.paginate(firstPage, (request) =>
    Effect.map(
      send(request),
      ({ data, next_cursor: next }) =>
        [data, next === null ? Option.none() : Option.some(atCursor(firstPage, next))] as const
    )
  )

/** How many bytes a page of a list may have. A page that would have more ends early, with a cursor. */
import { pageBytesMax } from "@runhook/core/domain/Page"
import * as Context from "effect/Context"

export const PageBytes = Context.Reference<number>("@runhook/http/limits/PageBytes", {
  defaultValue: () => pageBytesMax
})

/** The bytes of a page of a list. */
import { pageBytesMax } from "@runhook/core/shared/Page"
import * as Context from "effect/Context"

/** What is read and encoded of a list at a time: an ordinary page is less. */
export const sliceBytes = 256 * 1024

/** The most bytes of a page. A larger one ends early, with a cursor. */
export const PageBytes = Context.Reference<number>("@runhook/http/limits/PageBytes", {
  defaultValue: () => pageBytesMax
})

/** Lists as the HTTP layer reads and shows them. */
import { sealCursor } from "@runhook/core/domain/Cursor"
import type { Page, PageRequest } from "@runhook/core/domain/Page"
import type * as Effect from "effect/Effect"
import type { Call } from "../pipeline/Call.ts"
import { listMarkOf } from "../pipeline/ListMark.ts"

/** A list whose items may be large: how it is read, and how its items are shown. */
export interface Listing<Item, Wire extends { readonly id: string }, E> {
  readonly list: (page: PageRequest) => Effect.Effect<Page<Item>, E>
  readonly toWire: (item: Item) => Wire
  /** The JSON of an item, as the contract has it. */
  readonly toText: (item: Wire) => string
}

/** The cursor of the page behind the item of an id, in the list that is asked for. */
export const cursorBehind = ({ endpoint, url }: Call, after: string): string | null =>
  endpoint && sealCursor({ after, list: listMarkOf(endpoint, url) })

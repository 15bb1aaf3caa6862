/** Lists as the HTTP layer reads and shows them. */
import { Cursor } from "@runhook/core/domain/Cursor"
import type { Page, PageRequest } from "@runhook/core/domain/Page"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A list whose items may be large: how it is read, and how its items are shown. */
export interface Listing<Item, Wire extends { readonly id: string }, E> {
  readonly list: (page: PageRequest) => Effect.Effect<Page<Item>, E>
  readonly toWire: (item: Item) => Wire
  /** The JSON of an item, as the contract has it. */
  readonly toText: (item: Wire) => string
}

/** What is read and encoded of a list at a time: an ordinary page is less. */
export const sliceBytes = 256 * 1024

/** The cursor of the page behind the item of an id. */
export const cursorBehind: (id: string) => string = Schema.encodeSync(Cursor(Schema.String))

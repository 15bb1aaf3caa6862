/** Lists as the HTTP layer reads and shows them. */
import { sealCursor } from "@runhook/core/shared/Cursor"
import type { Page, PageRequest } from "@runhook/core/shared/Page"
import * as Effect from "effect/Effect"
import { type Call, CurrentCall } from "../pipeline/Call.ts"
import { listMarkOf } from "../pipeline/answer/ListMark.ts"

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

/** Cursors hold ids: a number in the form of one. */
const idOfNumber = (number: number): string =>
  `00000000-0000-0000-0000-${number.toString(16).padStart(12, "0")}`

/** Its last 31 bits, which any id has. */
const numberOfId = (id: string): number => Number.parseInt(id.slice(-8), 16) & 0x7f_ff_ff_ff

/** Where a page of what is counted from 1 begins: behind the number of its cursor, or of `after`. */
export const numberBehind = (query: {
  readonly cursor?: { readonly after: string }
  readonly after?: number
}): number => (query.cursor === undefined ? (query.after ?? 0) : numberOfId(query.cursor.after))

/** The page of a limit, of what is counted from 1: one more was looked for, to know whether the list goes on. */
export const countedPage = <Item extends { readonly sequence: number }>(
  found: ReadonlyArray<Item>,
  limit: number
) =>
  Effect.map(CurrentCall, (call) => {
    const data = found.slice(0, limit)
    const last = found.length > limit ? data.at(-1) : undefined
    return { data, next_cursor: last === undefined ? null : cursorBehind(call, idOfNumber(last.sequence)) }
  })

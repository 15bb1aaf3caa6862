/**
 * The answer for a large page. It is read, encoded and sent slice by slice, each
 * when the caller has read the one before. So it is never in memory as a whole, and
 * others have their turn between two items.
 */
import type { Page, PageRequest } from "@runhook/core/shared/Page"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { CurrentCall } from "../pipeline/Call.ts"
import { cursorBehind, type Listing } from "../shared/Listing.ts"
import { sliceBytes } from "./PageBytes.ts"

const utf8 = new TextEncoder()

/** How far the page has come. */
interface Progress {
  /** The id of the last item. */
  readonly after: string | null
  readonly items: number
  readonly bytes: number
}

export const longPage = Effect.fnUntraced(function* <Item, Wire extends { readonly id: string }, E>({
  first,
  listing,
  page
}: {
  readonly listing: Listing<Item, Wire, E>
  readonly page: PageRequest & { readonly bytesMax: number }
  /** The first slice, which was already read. */
  readonly first: Page<Item>
}) {
  const call = yield* CurrentCall
  const { id: requestId, share } = call

  const readOn = ({ after, bytes, items }: Progress) =>
    share.readOn(
      listing.list({
        after,
        limit: page.limit - items,
        bytesMax: Math.min(sliceBytes, page.bytesMax - bytes)
      })
    )

  const end = (cursor: string | null) =>
    utf8.encode(`],"next_cursor":${JSON.stringify(cursor)},"request_id":${JSON.stringify(requestId)}}`)

  const slice = Effect.fnUntraced(function* (before: Progress) {
    const { hasMore, items } = before.items === 0 ? first : yield* readOn(before)
    const chunks: Array<Uint8Array> = before.items === 0 ? [utf8.encode(`{"data":[`)] : []
    let progress = before
    for (const item of items) {
      const wire = listing.toWire(item)
      const text = utf8.encode(`${progress.items === 0 ? "" : ","}${listing.toText(wire)}`)
      // The first item of a slice is read however large it is.
      if (progress.items > 0 && progress.bytes + text.length > page.bytesMax) break
      chunks.push(text)
      progress = { after: wire.id, items: progress.items + 1, bytes: progress.bytes + text.length }
      yield* Effect.yieldNow
    }
    const isAllShown = progress.items === before.items + items.length
    const goesOn = hasMore && isAllShown && progress.items < page.limit && progress.bytes < page.bytesMax
    if (goesOn) return [chunks, Option.some(progress)] as const
    const isLast = !hasMore && isAllShown
    chunks.push(end(isLast || progress.after === null ? null : cursorBehind(call, progress.after)))
    return [chunks, Option.none<Progress>()] as const
  })

  const start: Progress = { after: page.after, items: 0, bytes: 0 }
  // A failure now comes after the 200: the caller sees the answer break off.
  return yield* share.stream(Stream.orDie(Stream.paginate(start, slice)), { contentType: "application/json" })
})

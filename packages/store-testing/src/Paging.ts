/** How the suites walk through lists. */
import { assert } from "@effect/vitest"
import type { Page, PageRequest } from "@runhook/core/shared/Page"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** How long a list is and how it is cut. */
export const paging = {
  count: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 })),
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 }))
}

/** Few runs of a property, because each one fills an account. */
export const fewRuns = { arbitrary: { runs: 20 } }

/** Everything in a list, page by page, each page fetched by the last id of the one before. */
export const walk = Effect.fnUntraced(function* <Item, E, R>(options: {
  readonly list: (page: PageRequest) => Effect.Effect<Page<Item>, E, R>
  readonly idOf: (item: Item) => string
  readonly limit: number
}) {
  const { list, idOf, limit } = options
  const items: Array<Item> = []
  let page = yield* list({ after: null, limit })
  items.push(...page.items)
  for (let last = page.items.at(-1); page.hasMore && last !== undefined; last = page.items.at(-1)) {
    assert.strictEqual(page.items.length, limit, "a page with more behind it is full")
    const before = idOf(last)
    page = yield* list({ after: before, limit })
    // Otherwise the walk through a broken list might never end.
    assert.isTrue(
      page.items.every((item) => idOf(item) < before),
      "a page begins behind the one before"
    )
    items.push(...page.items)
  }
  return items
})

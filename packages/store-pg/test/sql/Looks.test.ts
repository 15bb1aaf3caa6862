import { assert, describe, it } from "@effect/vitest"
import { theService } from "@runhook/core/audit/Actor"
import type { Page, PageRequest } from "@runhook/core/shared/Page"
import { AuditStore } from "@runhook/core/audit/AuditStore"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { LooksMax } from "@runhook/store-pg/sql/Looks"
import { anyEntry, record } from "@runhook/store-testing/audit/AuditFixtures"
import { anyDelivery, makeDelivery, makeSender } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestDatabase from "../TestDatabase.ts"

const looksMax = 3

const layer = PgStore.layerStores.pipe(
  Layer.provide(Layer.succeed(LooksMax, looksMax)),
  Layer.provide(Layer.succeed(StoreClock, "caller")),
  Layer.provideMerge(Layer.merge(TestDatabase.layerShared(), SecureRandom.layerWebCrypto))
)

/** How many items each page has, up to the last, and the items. */
const walked = Effect.fnUntraced(function* <Item extends { readonly id: string }, E, R>(
  list: (page: PageRequest) => Effect.Effect<Page<Item>, E, R>
) {
  const counts: Array<number> = []
  const ids: Array<string> = []
  let after: string | null = null
  while (counts.length < 10) {
    const page: Page<Item> = yield* list({ after, limit: 2 })
    counts.push(page.items.length)
    ids.push(...page.items.map(({ id }) => id))
    const last: string | undefined = page.next ?? page.items.at(-1)?.id
    if (!page.hasMore || last === undefined) break
    after = last
  }
  return { counts, ids }
})

describe("A page of a list that no index answers", () => {
  it.layer(layer)((it) => {
    it.effect("ends when it has looked at many deliveries, and the next goes on behind them", () =>
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        const sender = yield* makeSender()
        const made = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (each) =>
          makeDelivery(sender, {
            createdAt: second(each),
            url: `https://${each === 1 || each === 7 || each === 8 ? "sought" : "other"}.example`
          })
        )
        const listed = (text: string) =>
          walked((page) => store.list(sender.accountId, { ...anyDelivery, text }, page))

        assert.deepStrictEqual(yield* listed("sought"), {
          counts: [2, 0, 1],
          ids: [7, 6, 0].flatMap((place) => made[place]?.id ?? [])
        })
        assert.deepStrictEqual(yield* listed("nothing"), { counts: [0, 0, 0], ids: [] })
      })
    )

    it.effect("ends when it has looked at many entries of the audit log", () =>
      Effect.gen(function* () {
        const store = yield* AuditStore
        const { accountId } = yield* makeSender()
        const { items: before } = yield* store.list(accountId, anyEntry, { after: null, limit: 10 })
        yield* Effect.forEach(["one", "two", "three", "four", "five"], (name) =>
          record(
            {
              accountId,
              action: "agent.updated",
              subject: { kind: "agent", id: accountId, name },
              before: null,
              after: null
            },
            theService
          )
        )

        const { counts } = yield* walked((page) => store.list(accountId, { ...anyEntry, text: "one" }, page))

        assert.deepStrictEqual([before.length, ...counts], [0, 0, 1])
      })
    )
  })
})

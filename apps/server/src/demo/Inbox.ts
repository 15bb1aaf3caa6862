/**
 * Receives the callbacks of the demo key as an integrator would: it trusts none
 * before its signature is checked.
 */
import { parse } from "@runhook/core/signing/SigningSecret"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { DemoAccount } from "./DemoAccount.ts"
import { type InboxItem, judge, type Received } from "./InboxItem.ts"

/** How many of the latest callbacks are kept. */
export const callbacksKept = 200

/** Characters of all of them together, as JSON. The newest is kept whatever its size. */
export const charactersKept = 2 * 1024 * 1024

export class Inbox extends Context.Service<
  Inbox,
  {
    /** Keeps a callback, and says whether it is genuine. */
    receive(callback: Received): Effect.Effect<InboxItem>
    /** The kept callbacks with numbers above this one, oldest first. */
    list(after: number): Effect.Effect<ReadonlyArray<InboxItem>>
    /** The kept callbacks, then each new one as it comes. Never ends. */
    follow(after: number): Stream.Stream<InboxItem>
  }
>()("@runhook/server/demo/Inbox") {
  static readonly layer = Layer.effect(
    Inbox,
    Effect.gen(function* () {
      const { signingSecret } = yield* DemoAccount
      const keys = Result.getOrThrow(parse(Redacted.value(signingSecret)))
      const arrivals = yield* PubSub.sliding<InboxItem>(callbacksKept)
      let items: ReadonlyArray<InboxItem> = []
      let count = 0

      /** A watcher that knows a higher number watched an inbox that is gone. */
      const list = (after: number) =>
        Effect.sync(() => (after > count ? items : items.filter(({ number }) => number > after)))

      return Inbox.of({
        receive: Effect.fn("Inbox.receive")(function* (callback) {
          const receivedAt = yield* DateTime.now
          const item = { number: ++count, ...judge(keys, callback, receivedAt) }
          items = newest([...items, item])
          yield* PubSub.publish(arrivals, item)
          return item
        }),

        list,

        // Subscribed before the list is read, so nothing is missed; duplicates are dropped by number.
        follow: (after) =>
          Stream.unwrap(
            Effect.gen(function* () {
              const subscription = yield* PubSub.subscribe(arrivals)
              const known = yield* list(after)
              const last = count
              return Stream.concat(
                Stream.fromIterable(known),
                Stream.filter(Stream.fromSubscription(subscription), ({ number }) => number > last)
              )
            })
          )
      })
    })
  )
}

/** As many of the latest as may be kept. */
export const newest = (items: ReadonlyArray<InboxItem>): ReadonlyArray<InboxItem> => {
  let characters = 0
  const kept = items.slice(-callbacksKept).toReversed()
  const tooMany = kept.findIndex((item, index) => {
    characters += JSON.stringify(item).length
    return index > 0 && characters > charactersKept
  })
  return (tooMany === -1 ? kept : kept.slice(0, tooMany)).toReversed()
}

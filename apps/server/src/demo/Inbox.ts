/** Receives the callbacks of the demo key, as an integrator would: believes none before its signature is checked. */
import { type SigningKeys, parse } from "@runhook/core/signing/SigningSecret"
import { verify } from "@runhook/core/signing/WebhookSignature"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { DemoAccount } from "./DemoAccount.ts"

/** Callbacks that are kept, the last ones. */
export const callbacksKept = 200

/** A request as it came. */
export interface Received {
  readonly body: string
  readonly headers: { readonly [name: string]: string | undefined }
}

/** A callback, and whether to believe it. */
export interface InboxItem {
  /** Counts up from 1. */
  readonly number: number
  readonly received_at: string
  readonly verified: boolean
  /** Why it is not verified; null when it is. */
  readonly problem: string | null
  readonly attempt: string | null
  /** The event, or what came instead of one. */
  readonly body: unknown
}

export class Inbox extends Context.Service<
  Inbox,
  {
    receive(callback: Received): Effect.Effect<InboxItem>
    /** The callbacks kept that are newer than a number, oldest first. */
    list(after: number): Effect.Effect<ReadonlyArray<InboxItem>>
    /** Those that are kept, then each new one as it comes. Never ends. */
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

      /** Who knows of more than there were watched an earlier run of the server. */
      const list = (after: number) =>
        Effect.sync(() => (after > count ? items : items.filter(({ number }) => number > after)))

      return Inbox.of({
        receive: Effect.fn("Inbox.receive")(function* (callback) {
          const receivedAt = yield* DateTime.now
          const item = { number: ++count, ...judge(keys, callback, receivedAt) }
          items = [...items, item].slice(-callbacksKept)
          yield* PubSub.publish(arrivals, item)
          return item
        }),

        list,

        // Subscribed before the list is read, so nothing is missed; what comes twice is dropped by its number.
        follow: (after) =>
          Stream.unwrap(
            Effect.gen(function* () {
              const subscription = yield* PubSub.subscribe(arrivals)
              const kept = yield* list(after)
              const last = count
              return Stream.concat(
                Stream.fromIterable(kept),
                Stream.filter(Stream.fromSubscription(subscription), ({ number }) => number > last)
              )
            })
          )
      })
    })
  )
}

const judge = (
  keys: SigningKeys,
  { body, headers }: Received,
  receivedAt: DateTime.Utc
): Omit<InboxItem, "number"> => {
  const verdict = verify([keys], {
    body,
    timestamp: headers["x-webhook-timestamp"],
    signature: headers["x-webhook-signature"],
    eventId: headers["x-webhook-event-id"],
    receivedAt
  })
  return {
    received_at: DateTime.formatIso(receivedAt),
    verified: Result.isSuccess(verdict),
    problem: Result.isFailure(verdict) ? verdict.failure.message : null,
    attempt: headers["x-webhook-attempt"] ?? null,
    body: Result.getOrElse(verdict, () => parsed(body))
  }
}

const parsed = (body: string): unknown => Option.getOrElse(decodeJson(body), () => body)

const decodeJson = Schema.decodeOption(Schema.fromJsonString(Schema.Json))

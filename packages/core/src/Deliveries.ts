/** What callers and operators do with webhook deliveries. */
import * as Context from "effect/Context"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CallbackTargets } from "./CallbackTargets.ts"
import { type Delivery, type DeliveryAttempt, newDelivery } from "./domain/Delivery.ts"
import { type AccountId, type ApiKeyId, EventId, instantOf, newId } from "./domain/Ids.ts"
import type { Page, PageRequest } from "./domain/Page.ts"
import { checkUrl } from "./domain/target/CallbackUrl.ts"
import type { TargetRefused } from "./domain/target/TargetRefused.ts"
import { renderTestEvent, testReference } from "./domain/WebhookPayload.ts"
import { type ApiKeyNotFound, ApiKeyStore } from "./ports/ApiKeyStore.ts"
import {
  type DeliveryFilter,
  type DeliveryNotFound,
  type DeliveryNotSettled,
  DeliveryStore
} from "./ports/DeliveryStore.ts"
import { Signals } from "./ports/Signals.ts"

/** Dead deliveries that one call may replay. */
export const replaysMax = 1_000

/** Names one delivery of an account. */
export interface DeliveryRef {
  readonly accountId: AccountId
  readonly id: EventId
}

export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** Queues a `webhook.test` event to a URL, signed with the key's secret. */
    test(options: {
      readonly accountId: AccountId
      readonly apiKeyId: ApiKeyId
      readonly callbackUrl: string
      readonly requestId: string
    }): Effect.Effect<Delivery, ApiKeyNotFound | TargetRefused>

    get(
      ref: DeliveryRef
    ): Effect.Effect<
      { readonly delivery: Delivery; readonly attempts: ReadonlyArray<DeliveryAttempt> },
      DeliveryNotFound
    >
    list(accountId: AccountId, filter: DeliveryFilter, page: PageRequest): Effect.Effect<Page<Delivery>>

    /** Sends a settled delivery again: same event id, same body, signed afresh. */
    replay(ref: DeliveryRef): Effect.Effect<Delivery, DeliveryNotFound | DeliveryNotSettled>

    /** Sends dead deliveries again, oldest first, at most `replaysMax`; answers how many. */
    replayDead(accountId: AccountId, filter: DeliveryFilter): Effect.Effect<number>
  }
>()("@runhook/core/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const signals = yield* Signals
      const store = yield* DeliveryStore
      const targets = yield* CallbackTargets
      const services = yield* Effect.context<SecureRandom>()

      return Deliveries.of({
        test: Effect.fn("Deliveries.test")(function* ({ accountId, apiKeyId, callbackUrl, requestId }) {
          yield* keys.get(accountId, apiKeyId)
          const url = (yield* Effect.fromResult(checkUrl(callbackUrl, targets))).href
          const id = yield* newId(EventId)
          const at = instantOf(id)
          const body = renderTestEvent({ id, occurredAt: at, requestId })
          const subject = { id, accountId, apiKeyId, executionId: null, url, requestId, body }
          const delivery = newDelivery({ ...subject, type: "webhook.test", reference: testReference }, at)
          yield* store.enqueue(delivery)
          yield* signals.notify(["deliveries"])
          return delivery
        }, Effect.provide(services)),

        get: ({ accountId, id }) => store.get(accountId, id),

        list: (accountId, filter, page) => store.list(accountId, filter, page),

        replay: Effect.fn("Deliveries.replay")(function* (ref) {
          const delivery = yield* store.replay({ ...ref, at: yield* DateTime.now })
          yield* signals.notify(["deliveries"])
          return delivery
        }),

        replayDead: Effect.fn("Deliveries.replayDead")(function* (accountId, filter) {
          const replayed = yield* store.replayDead({
            accountId,
            filter,
            limit: replaysMax,
            at: yield* DateTime.now
          })
          yield* signals.notify(["deliveries"])
          return replayed
        })
      })
    })
  )
}

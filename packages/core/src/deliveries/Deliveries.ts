/** What callers and operators do with webhook deliveries. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { deliveryReplayed, deliveryTried } from "../audit/ActivityEvents.ts"
import type { DeliverySummary } from "./Delivery.ts"
import { noWait, type Wait } from "./claim/DeliveryWait.ts"
import { testDelivery } from "./TestDelivery.ts"
import { type AccountId, type ApiKeyId, EventId, makeIds } from "../shared/Ids.ts"
import { checkScope, type Scoped } from "../keys/KeyScope.ts"
import type { Owner } from "../keys/Owner.ts"
import type { PageRequest } from "../shared/Page.ts"
import { checkUrl } from "../shared/target/CallbackUrl.ts"
import { ApiKeyStore } from "../keys/ApiKeyStore.ts"
import { type DeliveryFilter, DeliveryNotFound, DeliveryStore } from "./DeliveryStore.ts"
import { ExecutionStore } from "../executions/ExecutionStore.ts"
import { Signals } from "../signals/Signals.ts"
import { changeOf } from "../signals/ChangeSignals.ts"
import { CallbackTargets } from "../Settings.ts"
import { audited } from "../audit/Audited.ts"
import { makeQueueTest } from "./QueuedTests.ts"
import { useCase } from "../engine/UseCase.ts"

/** Names one delivery of an account, or of one of its keys; those of other keys are then not found. */
export interface DeliveryRef extends Owner {
  readonly id: EventId
}

/** A delivery and what it waits for. */
export interface FollowedDelivery<D extends DeliverySummary = DeliverySummary> {
  readonly delivery: D
  readonly wait: Wait
}

export class Deliveries extends Context.Service<Deliveries>()("@runhook/core/deliveries/Deliveries", {
  make: Effect.gen(function* () {
    const executions = yield* ExecutionStore
    const keys = yield* ApiKeyStore
    const signals = yield* Signals
    const store = yield* DeliveryStore
    const targets = yield* CallbackTargets
    const newId = yield* makeIds
    const queueTest = yield* makeQueueTest

    const find = Effect.fnUntraced(function* ({ accountId, apiKeyId, id }: DeliveryRef) {
      const found = yield* store.get(accountId, id)
      if (apiKeyId !== null && found.delivery.apiKeyId !== apiKeyId)
        return yield* new DeliveryNotFound({ id })
      return found
    })

    const follow = Effect.fnUntraced(function* <D extends DeliverySummary>(
      accountId: AccountId,
      deliveries: ReadonlyArray<D>
    ) {
      const ids = deliveries.filter(({ state }) => state === "pending").map(({ id }) => id)
      const waits = ids.length === 0 ? null : yield* store.waits({ accountId, ids, at: yield* DateTime.now })
      return deliveries.map((delivery) => ({ delivery, wait: waits?.get(delivery.id) ?? noWait }))
    })

    /** Queues a `webhook.test` event to a URL, signed with the key's secret. */
    const test = useCase("Deliveries.test")(function* ({
      accountId,
      apiKeyId,
      callbackUrl,
      requestId
    }: {
      readonly accountId: AccountId
      readonly apiKeyId: ApiKeyId
      readonly callbackUrl: string
      readonly requestId: string
    }) {
      yield* keys.get(accountId, apiKeyId)
      const url = (yield* Effect.fromResult(checkUrl(callbackUrl, targets))).href
      const id = yield* newId(EventId)
      const delivery = testDelivery({ id, accountId, apiKeyId, url, requestId })
      return yield* queueTest(delivery)
    })

    /** A delivery with its latest attempts, oldest first. */
    const get = useCase("Deliveries.get")(function* (ref: DeliveryRef) {
      const { attempts, delivery } = yield* find(ref)
      const [followed = { delivery, wait: noWait }] = yield* follow(ref.accountId, [delivery])
      return { ...followed, attempts }
    })

    /** Newest first. */
    const list = useCase("Deliveries.list")(function* (
      accountId: AccountId,
      filter: DeliveryFilter,
      page: PageRequest
    ) {
      const found = yield* store.list(accountId, filter, page)
      return { ...found, items: yield* follow(accountId, found.items) }
    })

    /** Dead deliveries by receiver and cause. */
    const deadLetters = store.deadLetters

    /** Sends a settled delivery again: same event id, same body, fresh signature. */
    const replay = useCase("Deliveries.replay")(function* ({ scope, ...ref }: DeliveryRef & Scoped) {
      const { accountId, executionId, id } = (yield* find(ref)).delivery
      if (scope !== undefined && executionId !== null)
        yield* Effect.fromResult(checkScope({ scope }, yield* executions.get(accountId, executionId)))
      const audit = yield* audited(deliveryReplayed)
      const delivery = yield* store.replay({ accountId, id, at: yield* DateTime.now, audit })
      const { state } = delivery
      yield* signals.notify(["deliveries", changeOf(accountId, "delivery", { id, state, isNew: false })])
      return delivery
    })

    /** Makes the next attempt of a waiting delivery at once, as soon as there is room. */
    const tryNow = useCase("Deliveries.tryNow")(function* (ref: DeliveryRef) {
      const { accountId, id } = (yield* find(ref)).delivery
      const audit = yield* audited(deliveryTried)
      const delivery = yield* store.tryNow({ accountId, id, at: yield* DateTime.now, audit })
      yield* signals.notify(["deliveries"])
      return delivery
    })

    return { test, get, list, deadLetters, replay, tryNow }
  })
}) {
  static readonly layer = Layer.effect(Deliveries, Deliveries.make)
}

/** Webhook deliveries in memory. */
import * as Delivering from "@runhook/core/domain/Delivering"
import { Delivery, DeliveryAttempt } from "@runhook/core/domain/Delivery"
import type { AccountId, EventId } from "@runhook/core/domain/Ids"
import { moved, type ReceiverMove, receiverKey, receiverOf, untroubled } from "@runhook/core/domain/Receiving"
import {
  type DeliveryFilter,
  DeliveryNotFound,
  DeliveryNotSettled,
  DeliveryStore,
  type Settlement
} from "@runhook/core/ports/DeliveryStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import { claimDue } from "./DeliveryClaiming.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { pageOf } from "./Paging.ts"
import { storedAs } from "./StoredAs.ts"
import { transaction } from "./Transaction.ts"

const storedDelivery = storedAs(Delivery)
const storedAttempt = storedAs(DeliveryAttempt)

const oldestFirst = Order.mapInput(Order.String, ({ id }: Delivery) => id)

export const layer: Layer.Layer<DeliveryStore, never, MemoryDatabase> = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const { attempts, deliveries, receivers } = yield* MemoryDatabase

    const find = (accountId: AccountId, id: EventId): Result.Result<Delivery, DeliveryNotFound> => {
      const delivery = deliveries.get(id)
      return delivery?.accountId === accountId
        ? Result.succeed(delivery)
        : Result.fail(new DeliveryNotFound({ id }))
    }

    const attemptsOf = (id: EventId): ReadonlyArray<DeliveryAttempt> => attempts.get(id) ?? []

    const wanted = (accountId: AccountId, filter: DeliveryFilter) =>
      Iterable.filter(
        deliveries.values(),
        (delivery) => delivery.accountId === accountId && matches(delivery, filter)
      )

    const moveReceiver = (delivery: Delivery, move: ReceiverMove, at: DateTime.Utc): void => {
      const key = receiverKey(receiverOf(delivery))
      receivers.set(key, moved(receivers.get(key) ?? untroubled, move, at))
    }

    const settle = ({ accountId, attempt, move, verdict }: Settlement, at: DateTime.Utc): void => {
      const delivery = deliveries.get(attempt.deliveryId)
      if (delivery?.accountId !== accountId || !Delivering.isLatestAttempt(delivery, attempt)) return
      const earlier = attemptsOf(delivery.id)
      if (earlier.some(({ round, number }) => round === attempt.round && number === attempt.number)) return
      attempts.set(delivery.id, [...earlier, storedAttempt(attempt)])
      deliveries.put(Delivering.settle(delivery, { attempt, verdict, at }))
      if (move !== undefined) moveReceiver(delivery, move, at)
    }

    return DeliveryStore.of({
      enqueue: (delivery) => Effect.sync(() => deliveries.put(storedDelivery(delivery))),

      claimDue: (options) => Effect.sync(() => claimDue({ deliveries, receivers }, options)),

      settle: (settlements, at) => Effect.sync(() => settlements.forEach((each) => settle(each, at))),

      get: (accountId, id) =>
        transaction(() =>
          Result.map(find(accountId, id), (delivery) => ({ delivery, attempts: attemptsOf(id) }))
        ),

      list: (accountId, filter, page) => Effect.sync(() => pageOf(wanted(accountId, filter), page)),

      replay: ({ accountId, id, at }) =>
        transaction(() =>
          Result.gen(function* () {
            const delivery = yield* find(accountId, id)
            const { state } = delivery
            if (state === "pending") return yield* Result.fail(new DeliveryNotSettled({ id, state }))
            const replayed = Delivering.replay(delivery, at)
            deliveries.put(replayed)
            return replayed
          })
        ),

      replayDead: ({ accountId, filter, limit, at }) =>
        Effect.sync(() => {
          const dead = Iterable.filter(wanted(accountId, filter), ({ state }) => state === "dead")
          const replayed = Array.sort(dead, oldestFirst).slice(0, limit)
          for (const delivery of replayed) deliveries.put(Delivering.replay(delivery, at))
          return replayed.length
        })
    })
  })
)

const matches = (delivery: Delivery, filter: DeliveryFilter): boolean =>
  (filter.states === null || filter.states.includes(delivery.state)) &&
  (filter.type === null || filter.type === delivery.type) &&
  (filter.apiKeyId === null || filter.apiKeyId === delivery.apiKeyId) &&
  (filter.executionId === null || filter.executionId === delivery.executionId) &&
  (filter.text === null || mentions(delivery, filter.text.toLowerCase())) &&
  (filter.from === null || DateTime.isGreaterThanOrEqualTo(delivery.createdAt, filter.from)) &&
  (filter.to === null || DateTime.isLessThanOrEqualTo(delivery.createdAt, filter.to))

const mentions = ({ id, executionId, type, url }: Delivery, text: string): boolean =>
  id === text || executionId === text || type.includes(text) || url.toLowerCase().includes(text)

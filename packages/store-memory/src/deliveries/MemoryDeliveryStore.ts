/** Webhook deliveries in memory. */
import { attemptsShownMax, Delivery, DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import { isLatestAttempt } from "@runhook/core/deliveries/steps/DeliveryMoves"
import * as DeliverySteps from "@runhook/core/deliveries/steps/DeliverySteps"
import { type WaitReasons, waitOf } from "@runhook/core/deliveries/claim/DeliveryWait"
import { moved, type ReceiverMove, receiverKey, receiverOf } from "@runhook/core/deliveries/claim/Receiver"
import { isUnsent } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { passesBreaker } from "@runhook/core/deliveries/TestDelivery"
import { whyNotTried } from "@runhook/core/deliveries/steps/TryNow"
import type { AccountId, EventId } from "@runhook/core/shared/Ids"
import {
  CallbackOrder,
  type DeliveryFilter,
  DeliveryNotFound,
  DeliveryNotSettled,
  DeliveryNotWaiting,
  DeliveryStore,
  type Settlement
} from "@runhook/core/deliveries/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Number from "effect/Number"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { mapPage, pageOf } from "../tables/Paging.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"
import { claimDue } from "./claim/ClaimDue.ts"
import * as LostClaims from "./claim/LostClaims.ts"
import { deadLettersOf } from "./history/DeadLetters.ts"
import { matches } from "./history/DeliveryFilters.ts"
import { applyStep, receiverStateOf } from "./queue/ApplyStep.ts"
import { earlierThan, releaseNext } from "./queue/EventOrder.ts"

const storedDelivery = storedAs(Delivery)
const storedAttempt = storedAs(DeliveryAttempt)

export const layer = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { attempts, deliveries, receivers, tries } = tables
    const order = yield* CallbackOrder
    const audited = yield* makeAudited

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
      receivers.set(key, moved(receiverStateOf(tables, delivery), move, at))
    }

    const settle = (settlement: Settlement, at: DateTime.Utc): number => {
      const { accountId, attempt, move } = settlement
      const delivery = deliveries.get(attempt.deliveryId)
      const step = delivery?.accountId === accountId ? DeliverySteps.settle(delivery, settlement, at) : null
      if (delivery === undefined || step === null) return 0
      const earlier = attemptsOf(delivery.id)
      if (earlier.some(({ round, number }) => round === attempt.round && number === attempt.number)) return 0
      if (step.recorded !== undefined) attempts.set(delivery.id, [...earlier, storedAttempt(attempt)])
      applyStep(tables, step)
      if (move !== undefined) moveReceiver(delivery, move, at)
      return releaseNext(tables, delivery, { at, order })
    }

    const made = (step: DeliverySteps.Step<Delivery>, tell: (after: Delivery) => void): Delivery => {
      tell(step.after)
      applyStep(tables, step)
      return step.after
    }

    /** Whether a delivery to its receiver is to be tried now. */
    const isAnyTried = (receiver: string): boolean =>
      Iterable.some(tries, (id) => {
        const delivery = deliveries.get(id)
        return delivery !== undefined && receiverKey(receiverOf(delivery)) === receiver
      })

    const standingOf = (delivery: Delivery): WaitReasons => ({
      receiver: receiverStateOf(tables, delivery),
      hasEarlier: order !== "none" && isUnsent(delivery) && earlierThan(tables, delivery).length > 0,
      isAttempted:
        delivery.attempts > 0 &&
        !attemptsOf(delivery.id).some((attempt) => isLatestAttempt(delivery, attempt)),
      isTried: tries.has(delivery.id)
    })

    return DeliveryStore.of({
      enqueue: (delivery, audit) =>
        audited((note) => {
          const row = storedDelivery(delivery)
          note(audit?.(row))
          const receiver = receiverStateOf(tables, row)
          const isAnotherTried = isAnyTried(receiverKey(receiverOf(row)))
          if (passesBreaker(row, { isAnotherTried, receiver })) tries.add(row.id)
          deliveries.put(row)
          return Result.succeed(waitOf(row, standingOf(row), row.createdAt))
        }),

      claimDue: (options) => Effect.sync(() => claimDue(tables, { ...options, order })),

      settle: (settlements, at) =>
        Effect.sync(() => Number.sumAll(settlements.map((each) => settle(each, at)))),

      giveBack: (options) => Effect.sync(() => LostClaims.giveBack(tables, options)),

      takeBack: (options) => Effect.sync(() => LostClaims.takeBack(tables, options)),

      beat: (dispatcher) => Effect.sync(() => LostClaims.beat(tables, dispatcher)),

      get: (accountId, id) =>
        transaction(() =>
          Result.map(find(accountId, id), (delivery) => ({
            delivery,
            attempts: attemptsOf(id).slice(-attemptsShownMax)
          }))
        ),

      list: (accountId, filter, page) =>
        Effect.sync(() =>
          mapPage(pageOf(wanted(accountId, filter), page), (delivery) =>
            Struct.omit(delivery, ["body", "traceparent"])
          )
        ),

      deadLetters: (accountId) =>
        Effect.sync(() =>
          deadLettersOf(Iterable.filter(deliveries.values(), (each) => each.accountId === accountId))
        ),

      waits: ({ accountId, ids, at }) =>
        Effect.sync(() => {
          const pending = ids.flatMap((id) => {
            const delivery = deliveries.get(id)
            return delivery?.accountId === accountId && delivery.state === "pending" ? [delivery] : []
          })
          return new Map(pending.map((each) => [each.id, waitOf(each, standingOf(each), at)]))
        }),

      tryNow: ({ accountId, id, at, audit }) =>
        audited((note) =>
          Result.gen(function* () {
            const delivery = yield* find(accountId, id)
            const reason = whyNotTried(delivery, standingOf(delivery), at)
            const { state } = delivery
            if (reason !== null) return yield* Result.fail(new DeliveryNotWaiting({ id, state, reason }))
            return made(DeliverySteps.tryNow(delivery, at), (tried) => note(audit?.(delivery, tried)))
          })
        ),

      replay: ({ accountId, id, at, audit }) =>
        audited((note) =>
          Result.gen(function* () {
            const delivery = yield* find(accountId, id)
            const { state } = delivery
            if (state === "pending") return yield* Result.fail(new DeliveryNotSettled({ id, state }))
            return made(DeliverySteps.replay(delivery, { at }), (replayed) =>
              note(audit?.(delivery, replayed))
            )
          })
        )
    })
  })
)

/** Dispatchers whose inlet is tested, and events that are handed over to it. */
import { assert } from "@effect/vitest"
import { type Delivery, newDelivery } from "@runhook/core/deliveries/Delivery"
import { claim } from "@runhook/core/deliveries/steps/DeliveryMoves"
import { EventId, ExecutionId, newId } from "@runhook/core/shared/Ids"
import type { DeliveryInlet, ReservedPlace } from "@runhook/core/deliveries/queue/DeliveryInlet"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Sender } from "../src/Sender.ts"
import { answered, scripted } from "./faults/Scripted.ts"
import { makeInlet, type makeKey } from "./World.ts"

export const hook = "https://receiver.example/hook"
export const fixedExecutionId = ExecutionId.make("0190a8f0-0000-7000-8000-00000000000e")

/** Not stored yet, and then stored as the dispatcher of the inlet has begun it. */
export const makeEvent = Effect.fnUntraced(function* ({
  accountId,
  id: apiKeyId
}: Effect.Success<ReturnType<typeof makeKey>>["record"]) {
  const subject = {
    id: yield* newId(EventId),
    accountId,
    apiKeyId,
    executionId: yield* newId(ExecutionId),
    revision: 1,
    type: "execution.queued" as const,
    url: hook,
    requestId: "req_1",
    reference: null,
    body: "{}"
  }
  return newDelivery(subject, yield* DateTime.now)
})

/** What a store does that hands an event over. */
export const storedAsBegun = Effect.fnUntraced(function* (inlet: DeliveryInlet, event: Delivery) {
  const store = yield* DeliveryStore
  yield* store.enqueue(event)
  const { dispatcher, lease } = inlet
  const { deliveries } = yield* store.claimDue({ dispatcher, room: roomFor(1), lease, at: event.createdAt })
  const delivery = claim(event, { at: event.createdAt, lease })
  assert.deepStrictEqual(deliveries, [{ delivery, probeOf: null, behind: null }])
  return [delivery]
})

/** Waits for nothing at its end, be it a place that a test keeps. */
export const hasty = { stopGrace: Duration.zero }

export const keep = (
  inlet: DeliveryInlet,
  { accountId, id, url }: Delivery,
  executionId: ExecutionId = fixedExecutionId
) => inlet.reservePlace({ id, accountId, executionId, endpointId: null, url })

export const kept = (...asked: Parameters<typeof keep>): ReservedPlace => {
  const place = keep(...asked)
  assert.isNotNull(place)
  return place
}

/** A dispatcher that looks at nothing by itself, and sends to receivers that do as the script says. */
export const blind = Effect.fnUntraced(function* (
  script: Parameters<typeof scripted>[0] = () => Effect.succeed(answered(200)),
  options: Parameters<typeof makeInlet>[0] = {}
) {
  const { requests, sender } = scripted(script)
  const inlet = yield* makeInlet({ startsAfter: Effect.never, ...hasty, ...options }).pipe(
    Effect.provideService(Sender, sender)
  )
  return { inlet, requests }
})

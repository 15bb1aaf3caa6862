/** A whole service around the dispatcher, but for its HTTP API: one account, one key, a store in memory. */
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { type Delivery, newDelivery } from "@runhook/core/deliveries/Delivery"
import { EventId, newId } from "@runhook/core/shared/Ids"
import { DeliveryStore, type Settlement } from "@runhook/core/deliveries/DeliveryStore"
import { Signals } from "@runhook/core/signals/Signals"
import { StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { UsageCounter } from "@runhook/core/usage/UsageCounter"
import { CallbackTargets, ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Deliveries } from "@runhook/core/deliveries/Deliveries"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import { testOn } from "@runhook/test-support/TestOn"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import type { DispatcherOptions } from "../src/DispatcherOptions.ts"
import * as HttpSender from "../src/HttpSender.ts"
import * as WebhookDispatcher from "../src/WebhookDispatcher.ts"
import { agentOnLoopback, loopbackAllowed } from "./transport/Network.ts"

/** What a test can see of the store, and do to it. */
export class StoreProbe extends Context.Service<
  StoreProbe,
  {
    /** What was stored of attempts, in order. */
    readonly settled: Queue.Queue<Settlement>
    /** An entry for each time that results could not be stored. */
    readonly unsettled: Queue.Queue<void>
    /** While true, the store cannot be reached. */
    isAway: boolean
    /** While true, claims are made and their answers are lost. */
    losesClaims: boolean
  }
>()("@runhook/webhook-dispatcher/test/StoreProbe") {
  static readonly layer = Layer.effect(
    StoreProbe,
    Effect.gen(function* () {
      const settled = yield* Queue.unbounded<Settlement>()
      const unsettled = yield* Queue.unbounded<void>()
      return StoreProbe.of({ settled, unsettled, isAway: false, losesClaims: false })
    })
  )
}

const probedStore = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const probe = yield* StoreProbe
    const store = yield* DeliveryStore
    const reached = <A>(work: Effect.Effect<A>) =>
      Effect.suspend(() =>
        probe.isAway ? Effect.die(new StoreUnavailable({ reason: "the database is away" })) : work
      )
    const isLost = Effect.suspend(() =>
      probe.losesClaims ? Effect.die(new StoreUnavailable({ reason: "the connection is lost" })) : Effect.void
    )
    return DeliveryStore.of({
      ...store,
      beat: (dispatcher) => reached(store.beat(dispatcher)),
      giveBack: (options) => reached(store.giveBack(options)),
      takeBack: (options) => reached(store.takeBack(options)),
      claimDue: (options) => reached(Effect.tap(store.claimDue(options), isLost)),
      settle: (settlements, at) =>
        reached(Effect.tap(store.settle(settlements, at), Queue.offerAll(probe.settled, settlements))).pipe(
          Effect.onError(() => Queue.offer(probe.unsettled, undefined))
        )
    })
  })
)

const serviceKeys = Layer.effect(
  ServiceKeys,
  Effect.flatMap(KeyRing.generate, (key) => Effect.fromResult(KeyRing.parse(key)))
)

export const world = Layer.mergeAll(Accounts.layer, ApiKeys.layer, Deliveries.layer).pipe(
  Layer.provideMerge(probedStore),
  Layer.provideMerge(
    Layer.mergeAll(
      InProcessSignals.layer,
      MemoryStore.layer,
      serviceKeys,
      StoreProbe.layer,
      Layer.succeed(CurrentActor, theService),
      HttpSender.layer.pipe(Layer.provide(agentOnLoopback)),
      Layer.succeed(CallbackTargets, loopbackAllowed)
    )
  ),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

export const test = testOn(world)

/** The moment a test begins at. */
export const beginning = Date.UTC(2030, 0, 1)

/** Makes an account with a key, at `beginning`. */
export const makeKey = Effect.fnUntraced(function* () {
  yield* TestClock.setTime(beginning)
  const account = yield* (yield* Accounts).create("Integrator")
  return yield* (yield* ApiKeys).create({
    accountId: account.id,
    name: "A key",
    allowedTaskIds: null,
    allowedAgentIds: null,
    capabilities: null,
    maxLive: null,
    rateLimit: null,
    expiresAt: null
  })
})

type KeyRecord = Effect.Success<ReturnType<typeof makeKey>>["record"]

/** Queues a delivery to the URL, as an execution does: a test would not wait for a breaker. */
export const makeDelivery = Effect.fnUntraced(function* (
  { accountId, id: apiKeyId }: KeyRecord,
  receiver: string
) {
  const [id, at] = [yield* newId(EventId), yield* DateTime.now]
  const url = new URL(receiver).href
  const subject = { id, accountId, apiKeyId, executionId: null, revision: null, url, requestId: "req_1" }
  const event = { type: "execution.completed", reference: null, body: `{"event_id":"${id}"}` } as const
  const delivery = newDelivery({ ...subject, ...event }, at)
  yield* (yield* DeliveryStore).enqueue(delivery)
  yield* (yield* Signals).notify(["deliveries"])
  return delivery
})

/** No rests that a test would have to move the clock for. */
const restless = { pace: Duration.zero, settlePace: Duration.zero, settleGather: Duration.zero }

/** Starts a dispatcher that ends with the scope, and tells where deliveries are handed over to it. */
export const makeInlet = (options?: Partial<DispatcherOptions>) =>
  Effect.provide(WebhookDispatcher.make({ ...restless, ...options }), UsageCounter.layer)

/** Starts a dispatcher that ends with the scope. */
export const makeDispatcher = (options?: Partial<DispatcherOptions>) =>
  Layer.build(WebhookDispatcher.layer({ ...restless, ...options }))

/** Waits until the result of an attempt is stored. */
export const nextSettled = Effect.gen(function* () {
  return yield* Queue.take((yield* StoreProbe).settled)
})

/** A delivery as it is now, with its attempts. */
export const current = Effect.fnUntraced(function* ({ accountId, id }: Delivery) {
  return yield* (yield* DeliveryStore).get(accountId, id)
})

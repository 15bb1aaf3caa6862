import { assert, describe, it } from "@effect/vitest"
import { newDelivery } from "@runhook/core/deliveries/Delivery"
import { EventId, ExecutionId, newId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { Signals } from "@runhook/core/signals/Signals"
import { DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { optionsDefault } from "../../src/DispatcherOptions.ts"
import { Sender } from "../../src/Sender.ts"
import { makeExecution, stop } from "../Executions.ts"
import { makeDispatcher, makeKey, world } from "../World.ts"
import { answered, passing, scripted } from "./Scripted.ts"

type Key = Effect.Success<ReturnType<typeof makeKey>>["record"]

/** What each event says of its place, by the id of its delivery. */
const Told = Schema.fromJsonString(Schema.Struct({ executionId: Schema.String, revision: Schema.Int }))
const told = Schema.decodeUnknownSync(Told)

const paces = {
  pace: optionsDefault.pace,
  settlePace: optionsDefault.settlePace,
  settleGather: optionsDefault.settleGather
}

/** Receivers that take their time, fail some events once, and note what they take for the first time. */
const makeNetwork = () => {
  const failed = new Set<string>()
  const arrived = new Set<string>()
  const byExecution = new Map<string, Array<string>>()
  const { sender } = scripted(({ body, headers }) =>
    Effect.gen(function* () {
      const id = headers["webhook-id"] ?? ""
      const took = yield* Random.nextIntBetween(0, 60)
      yield* Effect.sleep(Duration.millis(took))
      if (took < 4 && !failed.has(id)) {
        failed.add(id)
        return answered(500)
      }
      if (arrived.has(id)) return answered(200)
      arrived.add(id)
      const execution = /"execution(?:Id)?":(?:\{"id":)?"([^"]+)"/.exec(body)?.[1] ?? ""
      const what = /"revision":/.test(body)
        ? `${told(body).revision}`
        : (/"type":"([^"]+)"/.exec(body)?.[1] ?? "")
      byExecution.set(execution, [...(byExecution.get(execution) ?? []), what])
      yield* Effect.sleep(Duration.millis(took))
      return answered(200)
    })
  )
  return { byExecution, sender }
}

/** A dispatcher of which nothing is heard any more once it is killed. Its store answers when it likes to. */
const makeMortalDispatcher = Effect.fnUntraced(function* () {
  const store = yield* DeliveryStore
  const sender = yield* Sender
  let isDead = false
  /** At the end of a test no time passes any more, and nothing may wait for it. */
  const over = yield* Latch.make()
  const alive = <A>(work: Effect.Effect<A>) =>
    Effect.suspend(() => (isDead ? Effect.andThen(over.await, work) : work))
  const shortWhile = Effect.fnUntraced(function* () {
    const millis = yield* Random.nextIntBetween(0, 30)
    yield* Effect.raceFirst(Effect.sleep(Duration.millis(millis)), over.await)
  })
  const slowly = <A>(work: Effect.Effect<A>) =>
    Effect.gen(function* () {
      yield* shortWhile()
      const answer = yield* alive(work)
      yield* shortWhile()
      return yield* alive(Effect.succeed(answer))
    })
  const mortal = DeliveryStore.of({
    ...store,
    beat: (id) => alive(store.beat(id)),
    claimDue: (options) => slowly(store.claimDue(options)),
    settle: (settlements, at) => slowly(store.settle(settlements, at)),
    giveBack: (options) => slowly(store.giveBack(options))
  })
  const inlets = yield* DeliveryInlets
  const mortalInlets = DeliveryInlets.of({
    ...inlets,
    // What a process causes itself ends with it.
    open: (inlet) =>
      inlets.open({
        ...inlet,
        dispatcher: inlet.dispatcher,
        lease: inlet.lease,
        reservePlace: (event) => (isDead ? null : inlet.reservePlace(event))
      })
  })
  yield* makeDispatcher({ ...paces, stopGrace: Duration.zero }).pipe(
    Effect.provideService(DeliveryStore, mortal),
    Effect.provideService(DeliveryInlets, mortalInlets),
    Effect.provideService(Sender, Sender.of({ send: (request) => alive(sender.send(request)) }))
  )
  return { kill: () => (isDead = true), end: over.open }
})

/** Stores an event as due, as a process without a dispatcher does. */
const tell = Effect.fnUntraced(function* (
  { accountId, id: apiKeyId }: Key,
  url: string,
  executionId: ExecutionId,
  revision: number
) {
  const at = yield* DateTime.now
  const subject = {
    id: yield* newId(EventId),
    accountId,
    apiKeyId,
    executionId,
    revision,
    type: "webhook.test",
    url
  } as const
  const body = JSON.stringify({ executionId, revision })
  yield* (yield* DeliveryStore).enqueue(
    newDelivery({ ...subject, requestId: "req_1", reference: null, body }, at)
  )
  yield* (yield* Signals).notify(["deliveries"])
})

describe("The order of an execution's events, at random", () => {
  it.effect.each([1, 2, 3].map((seed) => ({ seed })))(
    "is kept by two dispatchers and while one is killed: $seed",
    ({ seed }) =>
      Effect.gen(function* () {
        const { record } = yield* makeKey()
        const { byExecution, sender } = makeNetwork()
        const dispatchers = yield* Effect.replicateEffect(
          Effect.provideService(makeMortalDispatcher(), Sender, sender),
          2
        )
        const urls = [1, 2, 3].map((each) => `https://${each}.example.com/hook`)
        const urlOf = (place: number) => urls[place % urls.length] ?? ""
        const queued = yield* Effect.replicateEffect(newId(ExecutionId), 120)
        const [first] = dispatchers

        for (let round = 1; round <= 4; round++) {
          yield* Effect.forEach(queued.entries(), ([place, id]) => tell(record, urlOf(place), id, round))
          const started = yield* Effect.forEach(Array(40).keys(), (place) =>
            makeExecution(record, urlOf(place))
          )
          if (round % 2 === 0) yield* passing(1)
          yield* Effect.forEach(started, stop)
          if (round === 3) first?.kill()
        }
        yield* passing(150)
        yield* Effect.forEach(dispatchers, ({ end }) => end)

        const orders = [...byExecution.values()].map((each) => each.join())
        assert.deepStrictEqual(
          new Map([...new Set(orders)].map((each) => [each, orders.filter((one) => one === each).length])),
          new Map([
            ["execution.queued,execution.aborted", 160],
            ["1,2,3,4", 120]
          ])
        )
      }).pipe(Effect.provide(world), Random.withSeed(`${seed}`))
  )
})

/** What receivers do that fetch their events instead of getting calls. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PartitionedSemaphore from "effect/PartitionedSemaphore"
import * as Schema from "effect/Schema"
import type { Delivery } from "../deliveries/Delivery.ts"
import { acknowledgedAttempt } from "./Messages.ts"
import { type AccountId, EndpointId, type EventId } from "../shared/Ids.ts"
import { pageBytesMax } from "../shared/Page.ts"
import { DeliveryStore, type Settlement } from "../deliveries/DeliveryStore.ts"
import { EndpointNotFound, type EndpointRef, EndpointStore } from "./EndpointStore.ts"
import { Signals } from "../signals/Signals.ts"
import { StoreUnavailable } from "../engine/StoreUnavailable.ts"
import { changeOf } from "../signals/ChangeSignals.ts"
import { Draining } from "../engine/Draining.ts"
import { makeFanOut } from "./FanOut.ts"
import { lookEvery, lookForCaller, type WaitingKey } from "../engine/LongPoll.ts"
import { makeParkedPolls } from "./ParkedPolls.ts"
import * as SigningKeyring from "../keys/SigningKeyring.ts"
import { UsageCounter } from "../usage/UsageCounter.ts"
import { ExecutionLimits } from "../Settings.ts"
import { signedRequest } from "../signing/SignedRequest.ts"
import { useCase } from "../engine/UseCase.ts"

/**
 * Fetches of a process that ask the store at once: accounts take turns. When all that wait begin at the same time, as
 * after a start, the others wait here: at the store they would take the places of other requests, and the time that it
 * has for an answer.
 */
export const fetchesMax = 4

/** Events are sent to this endpoint, so there is nothing to fetch. */
export class NotPolled extends Schema.TaggedError<NotPolled>()("NotPolled", { id: EndpointId }) {
  override get message() {
    return `Events are sent to the endpoint ${this.id}: only those of the kind poll have messages`
  }
}

export class EndpointMessages extends Context.Service<EndpointMessages>()(
  "@runhook/core/endpoints/EndpointMessages",
  {
    make: Effect.gen(function* () {
      const deliveries = yield* DeliveryStore
      const signals = yield* Signals
      const store = yield* EndpointStore
      const counter = yield* UsageCounter
      const limits = yield* ExecutionLimits
      const draining = yield* Draining
      const keysFor = yield* SigningKeyring.make
      const parked = yield* makeParkedPolls
      const fanOut = yield* makeFanOut
      const turns = yield* PartitionedSemaphore.make<AccountId>({ permits: fetchesMax })

      /** An endpoint whose messages are fetched. */
      const polled = (ref: EndpointRef) =>
        Effect.flatMap(store.get(ref), (endpoint) =>
          endpoint.kind === "poll" ? Effect.succeed(endpoint) : new NotPolled({ id: ref.id })
        )

      /** A turn until the scope ends. None comes once the service stops, nor after so long. */
      const turn = (accountId: AccountId, patience: Duration.Duration) => {
        const reason = "it has no time for so many fetches"
        const none = Effect.andThen(
          Effect.raceFirst(Effect.sleep(patience), draining.begun),
          Effect.die(new StoreUnavailable({ reason }))
        )
        return Effect.acquireRelease(
          Effect.raceFirst(turns.take(accountId, 1), none),
          () => turns.release(1),
          { interruptible: true }
        )
      }

      const sign = Effect.fnUntraced(function* (delivery: Delivery, at: DateTime.Utc) {
        const keys = yield* keysFor(delivery, at)
        return { delivery, request: signedRequest({ delivery, keys, at }) }
      })

      /**
       * Messages for the first caller, signed as they would be sent. Waits for some if
       * there are none; the wait ends when its key does.
       */
      const fetch = useCase("EndpointMessages.fetch")(function* <E = never>({
        key,
        limit,
        ref,
        wait
      }: {
        readonly ref: EndpointRef
        readonly limit: number
        readonly wait: Duration.Duration
        readonly key: WaitingKey<E> | null
      }) {
        const isWaiting = Duration.isPositive(wait)
        /** A caller who does not wait finds what was answered before. */
        const upToDate = isWaiting
          ? Effect.void
          : Effect.repeat(fanOut({ accountId: ref.accountId }), { while: (hasMore) => hasMore })
        const fetched = Effect.gen(function* () {
          const mark = signals.mark()
          const at = yield* DateTime.now
          const mailbox = yield* polled(ref)
          yield* upToDate
          const { messages, nextDueAt } = yield* store.fetch(mailbox, { at, limit, bytesMax: pageBytesMax })
          parked.note({ mailbox, mark, nextDueAt }, at)
          return { found: messages, isFinal: messages.length > 0, lookAgainAt: nextDueAt }
        })
        const inTurn = Effect.scoped(
          Effect.andThen(turn(ref.accountId, Duration.max(wait, lookEvery)), fetched)
        )
        const look = Effect.flatMap(DateTime.now, (at): typeof inTurn => {
          const idle = isWaiting ? parked.idle(ref, at) : undefined
          return idle === undefined
            ? inTurn
            : Effect.succeed({ found: [], isFinal: false, lookAgainAt: idle.nextDueAt })
        })
        if (isWaiting) yield* parked.park(ref.id)
        const found: ReadonlyArray<Delivery> = yield* lookForCaller({
          draining,
          signals,
          topic: `messages:${ref.id}`,
          key,
          wait: Duration.min(wait, limits.waitMax),
          look,
          isTaking: true
        })
        const at = yield* DateTime.now
        return yield* Effect.forEach(found, (delivery) => sign(delivery, at)).pipe(
          Effect.catchTag("EndpointGone", () => new EndpointNotFound({ id: ref.id })),
          Effect.catchTags({
            SealBroken: Effect.die,
            SigningSecretInvalid: Effect.die,
            SigningSecretMissing: Effect.die
          })
        )
      }, Effect.scoped)

      /** Settles messages that were given out: they are delivered. Answers how many; others stay as they are. */
      const acknowledge = useCase("EndpointMessages.acknowledge")(function* (
        ref: EndpointRef,
        ids: ReadonlyArray<EventId>
      ) {
        const mailbox = yield* polled(ref)
        const given = yield* store.given(mailbox, ids)
        if (given.length === 0) return 0
        const at = yield* DateTime.now
        const settlements = given.map((delivery): Settlement => ({
          accountId: ref.accountId,
          attempt: acknowledgedAttempt(delivery, at),
          verdict: { _tag: "Delivered" }
        }))
        const released = yield* deliveries.settle(settlements, at)
        given.forEach((delivery, place) => {
          const settlement = settlements[place]
          if (settlement !== undefined) counter.attempted(delivery, settlement)
        })
        yield* signals.notify([
          ...(released > 0 ? [`messages:${ref.id}` as const] : []),
          ...given.map(({ id }) =>
            changeOf(ref.accountId, "delivery", { id, state: "delivered", isNew: false })
          )
        ])
        return given.length
      })

      return { fetch, acknowledge }
    })
  }
) {
  static readonly layer = Layer.effect(EndpointMessages, EndpointMessages.make).pipe(
    Layer.provide(UsageCounter.layer)
  )
}

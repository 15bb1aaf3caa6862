/** What receivers do that fetch their events in place of being called. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Delivery } from "../domain/delivery/Delivery.ts"
import { acknowledgedAttempt } from "../domain/endpoint/Messages.ts"
import { EndpointId, type EventId } from "../domain/Ids.ts"
import { pageBytesMax } from "../domain/Page.ts"
import { DeliveryStore, type Settlement } from "../ports/DeliveryStore.ts"
import { EndpointNotFound, type EndpointRef, EndpointStore } from "../ports/EndpointStore.ts"
import { type Mark, Signals } from "../ports/Signals.ts"
import { changeOf } from "../runtime/ChangeSignals.ts"
import type { Draining } from "../runtime/Draining.ts"
import { lookForCaller, type WaitingKey } from "../runtime/LongPoll.ts"
import { makeParkedPolls } from "../runtime/ParkedPolls.ts"
import * as SigningKeyring from "../runtime/SigningKeyring.ts"
import { UsageCounter } from "../runtime/UsageCounter.ts"
import { ExecutionLimits } from "../Settings.ts"
import { signedRequest } from "../signing/SignedRequest.ts"
import { useCase } from "./UseCase.ts"

/** Events are sent to this endpoint, so there is nothing to fetch. */
export class NotPolled extends Schema.TaggedError<NotPolled>()("NotPolled", { id: EndpointId }) {
  override get message() {
    return `Events are sent to the endpoint ${this.id}: only those of the kind poll have messages`
  }
}

export class EndpointMessages extends Context.Service<EndpointMessages>()(
  "@runhook/core/usecases/EndpointMessages",
  {
    make: Effect.gen(function* () {
      const deliveries = yield* DeliveryStore
      const signals = yield* Signals
      const store = yield* EndpointStore
      const counter = yield* UsageCounter
      const limits = yield* ExecutionLimits
      const services = yield* Effect.context<Draining | Signals>()
      const keysFor = yield* SigningKeyring.make
      const park = yield* makeParkedPolls

      /** An endpoint whose messages are fetched. */
      const polled = (ref: EndpointRef) =>
        Effect.flatMap(store.get(ref), (endpoint) =>
          endpoint.kind === "poll" ? Effect.succeed(endpoint) : new NotPolled({ id: ref.id })
        )

      const sign = Effect.fnUntraced(function* (delivery: Delivery, at: DateTime.Utc) {
        const keys = yield* keysFor(delivery, at)
        return { delivery, request: signedRequest({ delivery, keys, at }) }
      })

      /**
       * Messages for whoever asks first, signed as they would be sent. Waits for some if
       * there are none; the wait ends when its key does.
       */
      const fetch = useCase("EndpointMessages.fetch")(
        function* <E = never>({
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
          const mailbox = yield* polled(ref)
          const topic = `messages:${ref.id}` as const
          let read: { readonly mark: Mark; readonly nextDueAt: DateTime.Utc | null } | undefined
          const look = Effect.gen(function* () {
            const at = yield* DateTime.now
            // What is parked is looked for together with others: nothing has come since unless that was signalled.
            const isQuiet =
              read !== undefined &&
              signals.isQuiet([topic], read.mark) &&
              (read.nextDueAt === null || DateTime.isGreaterThan(read.nextDueAt, at))
            if (read !== undefined && isQuiet)
              return { found: [], isFinal: false, lookAgainAt: read.nextDueAt }
            const mark = signals.mark()
            // One that was removed meanwhile has no more messages.
            if (read !== undefined) yield* polled(ref)
            const found = yield* store.fetch(mailbox, { at, limit, bytesMax: pageBytesMax })
            read = { mark, nextDueAt: found.nextDueAt }
            return { found: found.messages, isFinal: found.messages.length > 0, lookAgainAt: found.nextDueAt }
          })
          if (Duration.isPositive(wait)) yield* park(mailbox)
          const longest = Duration.min(wait, limits.waitMax)
          const found: ReadonlyArray<Delivery> = yield* lookForCaller({
            topic,
            key,
            wait: longest,
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
        },
        Effect.scoped,
        Effect.provide(services)
      )

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

/**
 * The other dispatchers on the store. Each gives signs of life, and each takes
 * back what one had claimed that gives none any more. They count their own
 * beats and no time: while the store is away nobody's silence tells of an end.
 */
import type { DispatcherId } from "@runhook/core/domain/Ids"
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import { Signals } from "@runhook/core/ports/Signals"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** Between two signs of life. */
export const beatEvery = Duration.seconds(2)

/** Signs of life of this dispatcher without one of another, after which that one has ended. */
export const silentBeatsMax = 5

interface Peer {
  readonly beats: number
  /** Beats of this dispatcher since it was last heard of. */
  readonly silentBeats: number
}

export type OtherDispatchers = ReadonlyMap<DispatcherId, Peer>

/** What is known of the others after another beat. */
export const heard = (before: OtherDispatchers, beats: ReadonlyMap<DispatcherId, number>): OtherDispatchers =>
  new Map(
    [...beats].map(([id, count]) => {
      const known = before.get(id)
      return [id, { beats: count, silentBeats: known?.beats === count ? known.silentBeats + 1 : 0 }]
    })
  )

/** Gives signs of life, and looks after the others, until the scope ends. */
export const watch = Effect.fnUntraced(function* (dispatcher: DispatcherId) {
  const store = yield* DeliveryStore
  const signals = yield* Signals
  let peers: OtherDispatchers = new Map()

  const takeBack = Effect.fnUntraced(function* (ended: DispatcherId) {
    const from = { _tag: "One", dispatcher: ended } as const
    const count = yield* store.takeBack({ from, at: yield* DateTime.now })
    yield* Effect.logWarning(
      `A dispatcher ended without a word; ${count} deliveries that it had claimed are due`
    )
    yield* signals.notify(["deliveries"])
  })

  yield* Effect.gen(function* () {
    peers = heard(peers, yield* store.beat(dispatcher))
    const ended = [...peers].flatMap(([id, { silentBeats }]) => (silentBeats >= silentBeatsMax ? [id] : []))
    yield* Effect.forEach(ended, takeBack, { discard: true })
  }).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.logDebug("Other dispatchers could not be told of this one", cause)
    ),
    Effect.repeat(Schedule.spaced(beatEvery)),
    Effect.forkScoped
  )
})

/** For the one dispatcher of a store: whatever another had claimed is due. Tries until it is done, or the scope ends. */
export const succeedAll = Effect.fnUntraced(function* (dispatcher: DispatcherId) {
  const store = yield* DeliveryStore
  const signals = yield* Signals
  yield* Effect.gen(function* () {
    const from = { _tag: "AllBut", dispatcher } as const
    const count = yield* store.takeBack({ from, at: yield* DateTime.now })
    if (count === 0) return
    yield* Effect.logInfo(`${count} deliveries were under way when the service last ended; they are due`)
    yield* signals.notify(["deliveries"])
  }).pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logWarning("What was under way could not be taken back yet", cause)),
    Effect.retry(Schedule.spaced(beatEvery)),
    Effect.forkScoped
  )
})

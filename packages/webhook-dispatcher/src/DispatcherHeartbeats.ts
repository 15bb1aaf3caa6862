/**
 * How dispatchers on one store know of each other. Each beats, and takes over
 * what another had claimed whose beats have stopped. They count their own beats
 * and not time: while the store is away, silence says nothing about anybody.
 */
import type { DispatcherId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { Signals } from "@runhook/core/signals/Signals"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { LeasedDeliveries } from "./LeasedDeliveries.ts"

/** Between two heartbeats. */
export const beatEvery = Duration.seconds(2)

/** Heartbeats of this dispatcher without one of another, after which the other counts as ended. */
export const silentBeatsMax = 5

/** Longest wait at the end for the store to take back unfinished deliveries. */
const leaveMax = Duration.seconds(1)

interface Peer {
  readonly beats: number
  /** Beats of this dispatcher since it last heard from the peer. */
  readonly silentBeats: number
}

export type Peers = ReadonlyMap<DispatcherId, Peer>

/** What is known of the peers after another beat. */
const peersAfter = (before: Peers, beats: ReadonlyMap<DispatcherId, number>): Peers =>
  new Map(
    [...beats].map(([id, count]) => {
      const known = before.get(id)
      return [id, { beats: count, silentBeats: known?.beats === count ? known.silentBeats + 1 : 0 }]
    })
  )

/** Beats until the scope ends, and takes over from peers that have ended. */
export const run = Effect.fnUntraced(function* (dispatcher: DispatcherId) {
  const store = yield* DeliveryStore
  const signals = yield* Signals
  let peers: Peers = new Map()

  const takeOver = Effect.fnUntraced(function* (ended: DispatcherId) {
    // Its last changes may not have been announced. Said first: once it is taken over, no one finds it again.
    yield* signals.notify(["changes_lost"])
    const from = { _tag: "One", dispatcher: ended } as const
    const count = yield* store.takeBack({ from, at: yield* DateTime.now })
    yield* Effect.logWarning(
      `A dispatcher ended without a word; ${count} deliveries that it had claimed are due`
    )
    yield* signals.notify(["deliveries"])
  })

  yield* Effect.gen(function* () {
    peers = peersAfter(peers, yield* store.beat(dispatcher))
    const ended = [...peers].flatMap(([id, { silentBeats }]) => (silentBeats >= silentBeatsMax ? [id] : []))
    yield* Effect.forEach(ended, takeOver, { discard: true })
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

/**
 * For the only dispatcher of a store: takes over all claimed deliveries. Tries until it succeeds, or the scope ends.
 */
export const takeOverAll = Effect.fnUntraced(function* (dispatcher: DispatcherId) {
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

/**
 * When the scope ends, gives back what is still claimed, due at once: without
 * its attempt if it was never sent, with it if the attempt was broken off.
 */
export const leaveAtEnd = Effect.fnUntraced(function* (dispatcher: DispatcherId, leased: LeasedDeliveries) {
  const store = yield* DeliveryStore
  const signals = yield* Signals
  const leave = Effect.gen(function* () {
    const at = yield* DateTime.now
    const unsent = yield* store.giveBack({ dispatcher, which: { _tag: "AllBut", ids: leased.maybeSent }, at })
    const brokenOff = yield* store.takeBack({ from: { _tag: "One", dispatcher }, at })
    if (unsent + brokenOff === 0) return
    yield* Effect.logInfo(
      `${brokenOff} deliveries were broken off, and ${unsent} not begun; they are due at once`
    )
    yield* signals.notify(["deliveries"])
  }).pipe(
    Effect.interruptible,
    Effect.timeout(leaveMax),
    Effect.catchCause((cause) =>
      Effect.logWarning("What is under way could not be given back; it is due when its lease ends", cause)
    )
  )
  yield* Effect.addFinalizer(() => leave)
})

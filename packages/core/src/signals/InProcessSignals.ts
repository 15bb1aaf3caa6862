/** Signals within one process: enough for a single server, and the inner part of wider implementations. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { Signals, type Topic } from "./Signals.ts"
import { SetsByKey } from "../engine/SetsByKey.ts"
import { SignalMemory } from "./SignalMemory.ts"
import { Watchers } from "./Watchers.ts"
import { type Seat, type Work, WorkQueue } from "./WorkQueue.ts"

export const layer: Layer.Layer<Signals> = Layer.sync(Signals, () => {
  const listeners = new SetsByKey<Topic, Latch.Latch>()
  const workQueue = new WorkQueue()
  const watchers = new Watchers()
  const memory = new SignalMemory()

  /**
   * Waits with the listener. Closed before the waiter looks again, so a signal during
   * the look counts for the next wait.
   */
  const waitOf = (listener: Latch.Latch) => Effect.andThen(listener.await, listener.close).pipe(Effect.asVoid)

  const listen = (topics: ReadonlyArray<Topic>) => {
    const heard = [...topics, "anything" as const]
    return Effect.acquireRelease(
      Effect.sync(() => {
        const listener = Latch.makeUnsafe()
        for (const topic of heard) listeners.add(topic, listener)
        return listener
      }),
      (listener) =>
        Effect.sync(() => {
          for (const topic of heard) listeners.delete(topic, listener)
        })
    )
  }

  return Signals.of({
    notify: (topics) =>
      Effect.sync(() => {
        for (const topic of topics) memory.note(topic)
        // Waking can run a listener synchronously, and it may subscribe again; take the list first so it is not
        // woken twice.
        const heard = topics.flatMap((topic) => [...listeners.of(topic)])
        for (const listener of heard) listener.openUnsafe()
        for (const topic of topics) {
          const work = workIn(topic)
          if (work !== undefined) workQueue.offer(work)
        }
        watchers.tell(topics)
      }),

    mark: () => memory.mark(),

    isQuiet: (topics, since) => memory.isQuiet(topics, since),

    subscribe: (topics) => Effect.map(listen(topics), waitOf),

    queue: Effect.fnUntraced(function* ({ accountId, agentIds, topics }) {
      const listener = yield* listen(topics)
      const seat: Seat = {
        accountId,
        agentIds,
        wake: () => void listener.openUnsafe(),
        turn: undefined,
        isLooking: false
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => workQueue.join(seat)),
        () => Effect.sync(() => workQueue.leave(seat))
      )
      return {
        woken: waitOf(listener),
        wake: seat.wake,
        looking: (look) => lookingFrom(seat, look),
        passOn: (agentId) => Effect.sync(() => workQueue.offer({ accountId, agentId }, seat))
      }
    }),

    watch: (accountId, hear) =>
      Effect.acquireRelease(
        Effect.sync(() => watchers.join(accountId, hear)),
        () => Effect.sync(() => watchers.leave(accountId, hear))
      )
  })
})

/** A look that fails ends the wait; the turn passes on as the seat is left. */
const lookingFrom = <A, E, R>(seat: Seat, look: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const { turn } = seat
    seat.turn = undefined
    seat.isLooking = true
    return Effect.onExit(look, (exit) =>
      Effect.sync(() => {
        seat.isLooking = false
        if (Exit.isFailure(exit)) seat.turn ??= turn
      })
    )
  })

const workIn = (topic: Topic): Work | undefined => {
  if (!topic.startsWith("work:") && !topic.startsWith("room:")) return undefined
  const [, accountId, agentId] = topic.split(":")
  return accountId === undefined || agentId === undefined ? undefined : { accountId, agentId }
}

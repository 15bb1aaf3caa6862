/** Signals within one process: what a single server needs, and what a wider implementation ends in. */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { Signals, type Topic } from "./ports/Signals.ts"

export const layer: Layer.Layer<Signals> = Layer.sync(Signals, () => {
  const listeners = new Map<Topic, Set<Latch.Latch>>()

  const join = (topics: ReadonlyArray<Topic>) => {
    const listener = Latch.makeUnsafe()
    for (const topic of topics) {
      const others = listeners.get(topic)
      if (others === undefined) listeners.set(topic, new Set([listener]))
      else others.add(listener)
    }
    return listener
  }

  const leave = (topics: ReadonlyArray<Topic>, listener: Latch.Latch) => {
    for (const topic of topics) {
      const others = listeners.get(topic)
      others?.delete(listener)
      if (others?.size === 0) listeners.delete(topic)
    }
  }

  return Signals.of({
    notify: (topics) =>
      Effect.sync(() => {
        // Who is woken runs at once and may listen anew, which is for the signals after this one.
        const heard = topics.flatMap((topic) => [...(listeners.get(topic) ?? [])])
        for (const listener of heard) listener.openUnsafe()
      }),

    subscribe: (topics) => {
      const heard = [...topics, "anything" as const]
      return Effect.acquireRelease(
        Effect.sync(() => join(heard)),
        (listener) => Effect.sync(() => leave(heard, listener))
      ).pipe(
        // Closed before the waiter looks again, so a signal during the look counts for the next wait.
        Effect.map((listener) => Effect.andThen(listener.await, listener.close).pipe(Effect.asVoid))
      )
    }
  })
})

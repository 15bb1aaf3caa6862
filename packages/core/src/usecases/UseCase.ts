/** What callers ask the service for, as those see it who trace. */
import * as Effect from "effect/Effect"

/**
 * Gives an effect a span, if somebody traces. If nobody does it costs nothing,
 * where `Effect.withSpan` makes one all the same: also the native tracer, which
 * stands in for a missing one and shows its spans to nobody, counts as none.
 */
export const spanned =
  (name: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber<A, E, R>(({ cache }) =>
      cache.tracerEnabled && cache.tracer !== undefined ? Effect.withSpan(work, name) : work
    )

/** A use case, with a span of its name for each call: as `Effect.fn` makes it, but for the cost where nobody traces. */
export function useCase(name: string): Effect.fn.Untraced
export function useCase(name: string) {
  return (...parts: ReadonlyArray<unknown>) =>
    Reflect.apply(Effect.fnUntraced, undefined, [...parts, spanned(name)])
}

/** The spans of use cases. */
import * as Effect from "effect/Effect"

/**
 * Gives an effect a span if there is a tracer; otherwise it costs nothing. `Effect.withSpan` would make a span even
 * then, for the native tracer, which shows it to no one.
 */
export const spanned =
  (name: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber<A, E, R>(({ cache }) =>
      cache.tracerEnabled && cache.tracer !== undefined ? Effect.withSpan(work, name) : work
    )

/**
 * A use case with a span of its name for each call, as `Effect.fn` makes it, but
 * without its cost when there is no tracer.
 */
export function useCase(name: string): Effect.fn.Untraced
export function useCase(name: string) {
  return (...parts: ReadonlyArray<unknown>) =>
    Reflect.apply(Effect.fnUntraced, undefined, [...parts, spanned(name)])
}

/** Tests that each have a layer of their own. */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** A body as `Effect.gen` takes it. */
type Body<R> = Effect.fn.Return<void, unknown, R | Scope.Scope>

interface Test<R> {
  (title: string, body: () => Body<R>): void
  each<T>(cases: ReadonlyArray<T>): (title: string, body: (each: T) => Body<R>) => void
}

/** Declares tests, each a sentence of behaviour, over this layer. */
export const testOn = <R, E>(layer: Layer.Layer<R, E>): Test<R> => {
  const run = (body: () => Body<R>) => Effect.gen(body).pipe(Effect.provide(layer))
  return Object.assign((title: string, body: () => Body<R>) => it.effect(title, () => run(body)), {
    each:
      <T>(cases: ReadonlyArray<T>) =>
      (title: string, body: (each: T) => Body<R>) =>
        it.effect.each(cases)(title, (each) => run(() => body(each)))
  })
}

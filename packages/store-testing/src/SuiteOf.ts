/** Declares the tests of a suite. */
import { describe, it, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

interface Adapter<R, E> {
  readonly name: string
  readonly layer: Layer.Layer<R, E>
}

interface Tests<R> extends Pick<Vitest.MethodsNonLive<R>, "effect"> {
  /** A test whose body is that of `Effect.gen`. */
  test(title: string, body: () => Effect.fn.Return<void, unknown, R | Scope.Scope>): void
}

/** Runs tests, each a sentence of behaviour, over one instance of an adapter of the port. */
export function suiteOf<R, E>(port: string, adapter: Adapter<R, E>, declare: (it: Tests<R>) => void): void
export function suiteOf(
  port: string,
  { layer, name }: Adapter<unknown, unknown>,
  declare: (it: Tests<unknown>) => void
) {
  describe(`${port}: ${name}`, () => {
    it.layer(layer)((it) => {
      const test: Tests<unknown>["test"] = (title, body) => it.effect(title, () => Effect.gen(body))
      declare({ effect: it.effect, test })
    })
  })
}

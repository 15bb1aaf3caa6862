/**
 * Work that is done even if the process ends without closing its scopes: when it is
 * told to stop twice, or by a fault of its own. Only `kill -9` leaves no time for
 * it.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Until the scope closes, an end of the process first does this synchronously. The latest comes first. */
export const atExit = (work: () => void): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => void process.prependListener("exit", work)),
    () => Effect.sync(() => void process.off("exit", work))
  )

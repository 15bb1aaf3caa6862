/** Ends a PostgreSQL server, within ten seconds. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** From the kindest to the last. No way loses what was acknowledged. */
const steps = [
  // Ends every session and writes everything down.
  { signal: "SIGINT", patience: Duration.seconds(8) },
  // Ends at once; the next start repeats what was not written down.
  { signal: "SIGQUIT", patience: Duration.millis(1_500) },
  { signal: "SIGKILL", patience: Duration.millis(500) }
] as const

/** Sends one signal after the other until the server is gone. */
export const shutDown = Effect.fn("Shutdown.shutDown")(function* (server: {
  readonly send: (signal: NodeJS.Signals) => void
  /** Completes when no process of the server is left. */
  readonly gone: Effect.Effect<unknown>
}) {
  for (const { signal, patience } of steps) {
    yield* Effect.sync(() => server.send(signal))
    if (Option.isSome(yield* Effect.timeoutOption(server.gone, patience))) return
    yield* Effect.logWarning(`PostgreSQL did not end within ${Duration.format(patience)} of ${signal}`)
  }
})

/** Ends a PostgreSQL server, within ten seconds. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Ends at once; the next start replays the log. */
const atOnce = "SIGQUIT"

/** The longest wait in milliseconds for a server that ends at once: it gives its own processes five seconds. */
const atOnceMax = 6_000

/** From the gentlest to the last. None of them loses what was acknowledged. */
const steps = [
  // Ends every session and writes everything to its files.
  { signal: "SIGINT", patience: Duration.seconds(8) },
  { signal: atOnce, patience: Duration.millis(1_500) },
  { signal: "SIGKILL", patience: Duration.millis(500) }
] as const

/** Sends one signal after the other until the server is gone. */
export const shutDown = Effect.fnUntraced(function* (server: {
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

/**
 * Ends the server synchronously, for a process that has no time: nothing of it is
 * left, and nothing acknowledged is lost.
 */
export const shutDownNow = (server: {
  readonly send: (signal: NodeJS.Signals) => void
  readonly isGone: () => boolean
}): void => {
  server.send(atOnce)
  const turn = new Int32Array(new SharedArrayBuffer(4))
  const until = performance.now() + atOnceMax
  while (!server.isGone()) {
    if (performance.now() > until) return server.send("SIGKILL")
    Atomics.wait(turn, 0, 0, 10)
  }
}

/**
 * Closes a server without a reset. What callers have sent lies with the system
 * until a turn of Node's loop picks it up, and in a turn timers come first: a
 * close from a timer would cut off who connected, or asked again on a kept
 * connection, while the loop was busy. So everything here happens at the end
 * of a turn, when all that has come in is known.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Server } from "node:http"

/** Turns that may each bring another connection. A queue of them is as long as that. */
const turnsMax = 1_000

/** Ends when the last connection has. One that was busy when the server closed is idle later, and closed then. */
export const closed = (server: Server): Effect.Effect<void> =>
  Effect.raceFirst(
    Effect.callback<void>((resume) => {
      whenQuiet(server, () => server.close(() => resume(Effect.void)))
    }),
    Effect.repeat(
      Effect.sync(() => setImmediate(() => server.closeIdleConnections())),
      Schedule.spaced("50 millis")
    )
  )

/** Goes on at the end of the first turn in which nobody connected. */
const whenQuiet = (server: Server, proceed: () => void): void => {
  let turns = 0
  let hasConnected = false
  const onConnection = () => {
    hasConnected = true
  }
  server.on("connection", onConnection)
  const endOfTurn = () => {
    turns += 1
    if (hasConnected && turns < turnsMax) {
      hasConnected = false
      return void setImmediate(endOfTurn)
    }
    server.off("connection", onConnection)
    proceed()
  }
  setImmediate(endOfTurn)
}

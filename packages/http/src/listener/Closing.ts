/**
 * Closes a server without a reset. What callers have sent stays in the kernel until
 * a turn of Node's loop picks it up, and timers come first in a turn. A close from
 * a timer would cut off callers that connected, or sent another request on a kept
 * connection, while the loop was busy. So everything here happens at the end of a
 * turn, when all that has come in is known.
 */
import type { Server } from "node:http"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** Turns that may each bring another connection. The kernel's queue of connections is about as long. */
const turnsMax = 1_000

/**
 * Ends when the last connection has. A connection that was busy when the server
 * closed becomes idle later, and is closed then.
 */
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

/** Continues at the end of the first turn without a new connection. */
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

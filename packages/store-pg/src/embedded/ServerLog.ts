/** What PostgreSQL says, in our log. */
import * as Effect from "effect/Effect"

/** What every server says when it starts and stops; nobody needs to know. */
const routine =
  /^(starting PostgreSQL|listening on|(the )?database system (was shut down|is ready|is starting up|is shutting down|is shut down)|received \w+ shutdown request|aborting any active transactions|terminating connection due to administrator command|background worker|shutting down|checkpoint (starting|complete))/

const line = /^(?<level>[A-Z]+): +(?<text>.*)$/

/** Says that the server now takes connections. */
export const isReady = (text: string): boolean =>
  text === "LOG:  database system is ready to accept connections"

/** Says how the server fares; every other line is a complaint, also one that has no level. */
export const isNews = (text: string): boolean => text.startsWith("LOG:")

/** Passes one line on, as loud as it deserves. */
export const pass = (said: string): Effect.Effect<void> => {
  const { level = "LOG", text = said } = line.exec(said)?.groups ?? {}
  const message = `PostgreSQL: ${text}`
  if (routine.test(text)) return Effect.logDebug(message)
  switch (level) {
    case "PANIC":
      return Effect.logError(message)
    case "FATAL":
    case "ERROR":
    case "WARNING":
      return Effect.logWarning(message)
    default:
      return Effect.logInfo(message)
  }
}

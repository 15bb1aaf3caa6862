/** PostgreSQL's messages, in our log. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Messages of every start and stop, which are dropped. */
const routine =
  /^(starting PostgreSQL|listening on|(the )?database system (was shut down|is ready|is starting up|is shutting down|is shut down)|received \w+ shutdown request|aborting any active transactions|terminating connection due to administrator command|background worker|shutting down|checkpoint (starting|complete))/

const line = /^(?<level>[A-Z]+): +(?<text>.*)$/

/** Whether the message says that the server now takes connections. */
export const isReady = (text: string): boolean =>
  text === "LOG:  database system is ready to accept connections"

/** Whether the message is news about the server; every other line is a complaint, also one without a level. */
export const isNews = (text: string): boolean => text.startsWith("LOG:")

/** Passes one line on, at the level it deserves. */
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

/** A repeated message is passed on again after this long. */
export const repeatedAfter = Duration.minutes(10)

/** How many messages are remembered. */
const sayingsMax = 100

/** The same message about another file, process or place. */
const sayingOf = (said: string): string => said.replaceAll(/\d+/g, "0")

/** Passes on lines that were not logged lately: a server with a full disk complains about every statement. */
export const passingNews = (): ((said: string) => Effect.Effect<void>) => {
  const passedAt = new Map<string, number>()
  return Effect.fnUntraced(function* (said) {
    const [saying, now] = [sayingOf(said), yield* Clock.currentTimeMillis]
    const at = passedAt.get(saying)
    if (at !== undefined && now - at < Duration.toMillis(repeatedAfter)) return
    if (passedAt.size >= sayingsMax) passedAt.clear()
    passedAt.set(saying, now)
    yield* pass(said)
  })
}

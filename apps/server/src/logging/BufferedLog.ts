/**
 * Writes log lines together: a system call for each would cost a request a sixth of
 * its CPU time. A line waits for `gatheringMax` at most, and waiting lines are
 * written when the process ends, unless it is killed.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type * as Scope from "effect/Scope"

/** How long a line waits for others. */
export const gatheringMax = Duration.millis(100)

/** How many characters wait at most. */
export const gatheredMax = 65_536

/** As much as the kernel writes to a pipe in one piece, beside other processes; a line may be longer. */
const piece = /[^]{1,4096}(?<=\n)|[^\n]*\n/g

/** The same lines, in such pieces. */
export const piecesOf = (lines: string): ReadonlyArray<string> => lines.match(piece) ?? []

/**
 * The logger of those lines. Warnings and worse are written at once, with the lines before them. When its scope
 * closes it writes the rest; after that, every line is written at once.
 */
export const gathered = <Message>(
  lines: Logger.Logger<Message, string>,
  write: (text: string) => void
): Effect.Effect<Logger.Logger<Message, void>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const isSomeWaiting = Latch.makeUnsafe()
    let waiting = ""
    let isEnding = false

    const flush = () => {
      if (waiting === "") return
      const text = waiting
      waiting = ""
      write(text)
    }

    const flushLater = Effect.gen(function* () {
      yield* Effect.andThen(isSomeWaiting.await, isSomeWaiting.close)
      yield* Effect.sleep(gatheringMax)
      flush()
    })

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        isEnding = true
        flush()
      })
    )
    // A crash closes no scope.
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("exit", flush)),
      () => Effect.sync(() => process.off("exit", flush))
    )
    yield* Effect.forkScoped(Effect.forever(flushLater))

    return Logger.make((event) => {
      waiting += `${lines.log(event)}\n`
      const isUrgent = LogLevel.isGreaterThanOrEqualTo(event.logLevel, "Warn")
      if (isUrgent || isEnding || waiting.length >= gatheredMax) flush()
      else isSomeWaiting.openUnsafe()
    })
  })

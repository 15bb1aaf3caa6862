/**
 * A service as a process of its own, for tests that kill it. It says `ready`
 * when its database is, and why when it cannot be. On SIGINT, or when the test
 * is gone, it uses the database once more, says `drained`, and ends.
 *
 *     node Service.ts <directory>
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { query, serving } from "./Client.ts"

const say = (word: string) => Effect.sync(() => process.stdout.write(`${word}\n`))

/** Listens from the start: who hears `ready` may press Ctrl-C at once. */
const toldToEnd = Deferred.makeUnsafe<void>()
const end = () => Deferred.doneUnsafe(toldToEnd, Effect.void)
process.once("SIGINT", end)
process.stdin.once("end", end).resume()

const directory = process.argv[2] ?? ""

await serving(
  directory,
  Effect.fnUntraced(function* (url) {
    yield* query(url, "CREATE TABLE IF NOT EXISTS kept AS SELECT 'kept' AS word")
    yield* say("ready")
    yield* Deferred.await(toldToEnd)
    yield* query(url, "SELECT 1")
    yield* say("drained")
  })
).pipe(
  Effect.catch((failure) => say(failure.message)),
  Effect.runPromise
)
process.exit()

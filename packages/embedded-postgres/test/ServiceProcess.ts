/** Starts `Service.ts`, and hears what it says. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

const program = join(import.meta.dirname, "Service.ts")

/** A service on the folder, in a process group of its own, as a shell would start it. Killed with the scope. */
export const startService = Effect.fnUntraced(function* (directory: string) {
  const said = yield* Queue.unbounded<string>()
  const ended = yield* Deferred.make<void>()
  const { child, pid } = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const started = spawn(process.execPath, [program, directory], {
        detached: true,
        stdio: ["pipe", "pipe", "inherit"]
      })
      createInterface({ input: started.stdout }).on("line", (line) => Queue.offerUnsafe(said, line))
      started.once("exit", () => Deferred.doneUnsafe(ended, Effect.void))
      return { child: started, pid: started.pid ?? 0 }
    }),
    (started) =>
      Effect.andThen(
        Effect.sync(() => started.child.kill("SIGKILL")),
        Deferred.await(ended)
      )
  )
  return {
    /** The next line it says; logs are lines too. */
    hear: (word: string) => Effect.repeat(Queue.take(said), { until: (line) => line.includes(word) }),
    /** As Ctrl-C does: to all processes of the group. */
    pressControlC: Effect.sync(() => process.kill(-pid, "SIGINT")),
    kill: Effect.andThen(
      Effect.sync(() => child.kill("SIGKILL")),
      Deferred.await(ended)
    ),
    ended: Deferred.await(ended)
  }
})

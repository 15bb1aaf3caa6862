import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { readlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import * as Binaries from "../src/Binaries.ts"
import { clusterFolder, pidFileIn } from "../src/DataFolder.ts"
import { PostgresFailed } from "../src/EmbeddedFailure.ts"
import * as Postmaster from "../src/Postmaster.ts"
import * as Predecessor from "../src/Predecessor.ts"
import * as PrivateFolder from "../src/PrivateFolder.ts"
import * as SystemUser from "../src/SystemUser.ts"
import { query, serving } from "./Client.ts"
import { eventually, isAlive, namesIn, serverOn, temporaryFolder, usedFolder } from "./Folder.ts"
import { startService } from "./ServiceProcess.ts"

const wordsKept = (directory: string, loggers?: ReadonlyArray<Logger.Logger<unknown, void>>) =>
  serving(directory, (url) => query(url, "SELECT word FROM kept"), loggers)

const pidFile = (directory: string) => pidFileIn(clusterFolder(directory))

/** A server that no kernel ends; answers its process. */
const leftServer = Effect.fnUntraced(function* (directory: string) {
  const folder = clusterFolder(directory)
  const user = yield* SystemUser.choose(folder)
  const socketFolder = yield* PrivateFolder.make({ directory, user })
  const found = yield* Binaries.find({ user, privateFolder: socketFolder })
  const binaries = { ...found, bound: [] }
  yield* Postmaster.start({ binaries, user, folder, socketFolder, hear: () => Effect.void })
  return yield* serverOn(directory)
})

/** A process of the server that does not notice anything until the scope closes, or it is sent SIGCONT. */
const stoppedChildOf = Effect.fnUntraced(function* (server: number) {
  const { stdout } = yield* Effect.promise(() => promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]))
  const processes = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number))
  const [pid] = processes.find(([, parent]) => parent === server) ?? []
  if (pid === undefined) return yield* Effect.die(new Error("The server has no process but itself"))
  yield* Effect.acquireRelease(
    Effect.sync(() => process.kill(pid, "SIGSTOP")),
    () => Effect.sync(() => isAlive(pid) && process.kill(pid, "SIGCONT"))
  )
  return pid
})

describe("a service that was killed", () => {
  it.live("takes its server with it, without a successor", () =>
    Effect.gen(function* () {
      const directory = yield* usedFolder
      const service = yield* startService(directory)
      yield* service.hear("ready")
      const server = yield* serverOn(directory)

      yield* service.kill

      yield* eventually(Effect.sync(() => !isAlive(server)))
      // It had time to flush everything to its files, so no log has to be replayed.
      assert.isFalse(existsSync(pidFile(directory)))
      assert.deepStrictEqual(yield* wordsKept(directory), [{ word: "kept" }])
    })
  )

  it.live(
    "where no kernel takes its server with it, leaves it to its successor, which ends it and keeps what was written",
    () =>
      Effect.gen(function* () {
        const directory = yield* usedFolder
        yield* serving(directory, (url) => query(url, "CREATE TABLE kept AS SELECT 'kept' AS word"))
        const server = yield* leftServer(directory)

        const rows = yield* wordsKept(directory)

        assert.deepStrictEqual(rows, [{ word: "kept" }])
        // It is not our child, and whose it now is may take a moment to notice.
        yield* eventually(Effect.sync(() => !isAlive(server)))
      })
  )

  it.live(
    "is followed by another when its server was killed with it, and the private folder is removed",
    () =>
      Effect.gen(function* () {
        const directory = yield* usedFolder
        const service = yield* startService(directory)
        yield* service.hear("ready")
        const server = yield* serverOn(directory)
        const folder = yield* Effect.promise(() => readlink(join(directory, "socket")))
        yield* service.kill
        process.kill(server, "SIGKILL")
        yield* eventually(Effect.sync(() => !isAlive(server)))

        const rows = yield* wordsKept(directory)

        assert.deepStrictEqual(rows, [{ word: "kept" }])
        assert.isFalse(existsSync(folder))
      })
  )

  it.live("is followed by another as soon as the last process of its server has ended", () =>
    Effect.gen(function* () {
      const directory = yield* usedFolder
      const service = yield* startService(directory)
      yield* service.hear("ready")
      const server = yield* serverOn(directory)
      const child = yield* stoppedChildOf(server)
      yield* service.kill
      process.kill(server, "SIGKILL")
      const refusals: Array<string> = []
      const letGo = Logger.make(({ message }) => {
        if (!/shared memory block .* is still in use/.test(String(message))) return
        refusals.push(String(message))
        process.kill(child, "SIGCONT")
      })

      const rows = yield* wordsKept(directory, [letGo])

      assert.deepStrictEqual(rows, [{ word: "kept" }])
      assert.lengthOf(refusals, 1)
    })
  )

  it.effect(
    "is followed by none while processes of its server do not end, which it says after ten seconds",
    () =>
      Effect.gen(function* () {
        const reason = "pre-existing shared memory block (key 1234, ID 5) is still in use"
        const refused = new PostgresFailed({ directory: "/data/cluster", reason })
        const starting = yield* Effect.forkChild(Effect.flip(Predecessor.outlived(Effect.fail(refused))))
        yield* TestClock.adjust("9 seconds")
        assert.isUndefined(starting.pollUnsafe())

        yield* TestClock.adjust("2 seconds")

        const { message } = yield* Fiber.join(starting)
        assert.strictEqual(
          message,
          "PostgreSQL on /data/cluster failed: processes of an earlier server still work on it: " +
            "end those named postgres whose working folder it is, then start again"
        )
      })
  )

  it.live("may have had the number of a process that is now someone else's, which is left alone", () =>
    Effect.gen(function* () {
      const directory = yield* usedFolder
      yield* serving(directory, (url) => query(url, "CREATE TABLE kept AS SELECT 'kept' AS word"))
      const stale = [process.pid, "/somewhere", "1700000000", "5432", "/tmp", "", "  1234  5678", "ready"]
      yield* Effect.promise(() => writeFile(pidFile(directory), stale.join("\n")))

      const rows = yield* wordsKept(directory)

      assert.deepStrictEqual(rows, [{ word: "kept" }])
    })
  )

  it.live("while it made the cluster is followed by one that begins anew and clears up", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const service = yield* startService(directory)
      const names = namesIn(directory).pipe(Effect.catchCause(() => Effect.succeed([])))
      yield* eventually(Effect.map(names, (found) => found.some((name) => name.startsWith("unfinished-"))))
      yield* service.kill

      const rows = yield* serving(directory, (url) => query(url, "SELECT 1 AS one"))

      assert.deepStrictEqual(rows, [{ one: 1 }])
      assert.deepStrictEqual(yield* namesIn(directory), ["cluster", "lock"])
    })
  )
})

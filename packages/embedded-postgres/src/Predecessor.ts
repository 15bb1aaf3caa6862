/**
 * The PostgreSQL of a killed service is still ending, or was left running where no
 * kernel ends it (`Binaries.bound`). Its successor ends it and starts its own, so
 * there is only one way to run: as a child whose end is seen. There are never two
 * on one folder.
 *
 * One case cannot be seen from here: a service that was killed without such a
 * kernel, in a container that itself goes on, leaves a server whose process only
 * that container sees. Make the service the first process of its container, so that
 * they end together.
 */
import { execFile } from "node:child_process"
import { readFile, rm, stat } from "node:fs/promises"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { pidFileIn } from "./DataFolder.ts"
import { PostgresFailed } from "./EmbeddedFailure.ts"
import { shutDown } from "./Shutdown.ts"
import { ifThere, inFolder } from "./SystemFault.ts"

/** Ends what an earlier service left on this cluster. Only under the lock, and only on our own cluster. */
export const settle = Effect.fnUntraced(function* (cluster: string) {
  const text = yield* ifThere(cluster, () => readFile(pidFileIn(cluster), "utf8"))
  const pid = Number.parseInt(text ?? "", 10)
  // A negative number is an operator's single-user session; PostgreSQL itself refuses to start beside it.
  if (!(pid > 0)) return
  if (yield* serves(pid, cluster)) {
    yield* Effect.logWarning(
      `The PostgreSQL of an earlier service (process ${pid}) is still running on ${cluster}; ending it`
    )
    const gone = Effect.repeat(serves(pid, cluster), {
      schedule: Schedule.spaced("20 millis"),
      until: (still) => !still
    })
    yield* shutDown({ send: (signal) => send(pid, signal), gone })
    if (yield* serves(pid, cluster)) {
      const reason = `process ${pid}, which an earlier service left on it, does not end`
      return yield* new PostgresFailed({ directory: cluster, reason })
    }
  } else if (isTaken(pid)) {
    // PostgreSQL would take any process that got this number since for a server on this folder.
    yield* inFolder(cluster, () => rm(pidFileIn(cluster), { force: true }))
  }
})

/**
 * Tries again for ten seconds while processes of an earlier server are left without it: each ends by itself, one that
 * runs a statement when it has run.
 */
export const outlived = <A, R>(start: Effect.Effect<A, PostgresFailed, R>) =>
  start.pipe(
    Effect.retry({
      while: isBeforeItsEnd,
      schedule: Schedule.upTo(Schedule.spaced("100 millis"), { duration: "10 seconds" })
    }),
    Effect.mapError((failure) => {
      if (!isBeforeItsEnd(failure)) return failure
      const reason =
        "processes of an earlier server still work on it: end those named postgres whose working folder it is, then start again"
      return new PostgresFailed({ directory: failure.directory, reason })
    })
  )

/** In PostgreSQL's own words: the memory that its processes share outlives the first of them. */
const isBeforeItsEnd = ({ reason }: PostgresFailed): boolean =>
  reason.startsWith("pre-existing shared memory block")

/**
 * Whether the process works in the cluster, as a PostgreSQL server does. Its number
 * alone proves nothing: another process may have it by now.
 */
const serves = (pid: number, cluster: string): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    try {
      const [theirs, ours] = await Promise.all([stat(await workingFolder(pid)), stat(cluster)])
      return theirs.dev === ours.dev && theirs.ino === ours.ino
    } catch {
      // Gone, or of a user other than the owner of the cluster.
      return false
    }
  })

const workingFolder = async (pid: number): Promise<string> => {
  if (process.platform === "linux") return `/proc/${pid}/cwd`
  const { stdout } = await promisify(execFile)("lsof", ["-a", "-d", "cwd", "-p", String(pid), "-Fn"])
  return /^n(.*)$/m.exec(stdout)?.[1] ?? ""
}

const isTaken = (pid: number): boolean => send(pid, 0)

/** Answers whether there was a process to receive it. */
const send = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/**
 * The folder the operator names:
 *
 *     lock           held by the one service that works here
 *     cluster/       PostgreSQL's own folder; moved here when it was complete
 *     socket         link to the folder of the socket while the service runs
 *     unfinished-*   a cluster whose making was broken off; removed at the next start
 */
import { access, constants, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { FolderUnusable } from "./EmbeddedFailure.ts"
import { makeFolder } from "./Folders.ts"
import { inFolder } from "./SystemFault.ts"

/** PostgreSQL takes paths of up to 1,023 bytes, and adds its own below the folder. */
const pathBytesMax = 900

const lockName = "lock"
const clusterName = "cluster"
const socketName = "socket"
const unfinishedPrefix = "unfinished-"

export const lockFile = (directory: string): string => join(directory, lockName)
export const clusterFolder = (directory: string): string => join(directory, clusterName)
export const socketLink = (directory: string): string => join(directory, socketName)
export const unfinishedTemplate = (directory: string): string => join(directory, unfinishedPrefix)

/** PostgreSQL's own file in a running cluster, with its process id. */
export const pidFileIn = (cluster: string): string => join(cluster, "postmaster.pid")

const isUnfinished = (name: string): boolean => name.startsWith(unfinishedPrefix)

/** What a folder without a cluster may contain. A freshly formatted volume has a `lost+found`. */
const mayBeThere = (name: string): boolean =>
  [lockName, socketName, "lost+found"].includes(name) || isUnfinished(name)

/** Makes the folder if needed, and refuses one that cannot be written or contains something else. */
export const prepare = Effect.fnUntraced(function* (directory: string) {
  if (Buffer.byteLength(directory) > pathBytesMax) {
    return yield* new FolderUnusable({ directory, reason: `the path is longer than ${pathBytesMax} bytes` })
  }
  yield* inFolder(directory, () => makeFolder(directory))
  yield* inFolder(directory, () => access(directory, constants.R_OK | constants.W_OK | constants.X_OK))
  const names = yield* inFolder(directory, () => readdir(directory))
  const foreign = names.find((name) => !mayBeThere(name))
  if (foreign !== undefined && !names.includes(clusterName)) {
    const reason = `it holds other files, such as ${foreign}, and no database; choose an empty folder`
    return yield* new FolderUnusable({ directory, reason })
  }
})

/** Removes clusters that were never completed, and so never held anything. Only under the lock. */
export const removeUnfinished = Effect.fnUntraced(function* (directory: string) {
  const names = yield* inFolder(directory, () => readdir(directory))
  // An interrupted program may still be writing for a moment.
  const options = { recursive: true, force: true, maxRetries: 5 }
  yield* Effect.forEach(
    names.filter(isUnfinished),
    (name) => inFolder(directory, () => rm(join(directory, name), options)),
    { discard: true }
  )
})

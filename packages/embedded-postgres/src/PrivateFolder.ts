/**
 * Holds the socket, and everything else that lives only as long as the server. It
 * is not in the data folder, whose path may be too long for a socket; a link there
 * says where it is, to people and to the next start, which has to clean up.
 */
import { readlinkSync, rmSync } from "node:fs"
import { mkdtemp, readlink, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import * as Effect from "effect/Effect"
import { atExit } from "./AtExit.ts"
import { socketLink } from "./DataFolder.ts"
import { ProgramsUnusable } from "./EmbeddedFailure.ts"
import { inFolder, reasonOf } from "./SystemFault.ts"
import { type SystemUser, give } from "./SystemUser.ts"

const prefix = "runhook-postgres-"

/** The longest path of a socket in bytes; macOS takes 103, Linux 107. */
const socketPathMax = 103

/**
 * The folder's name, six characters of which are random, with the longest name that
 * PostgreSQL gives to a file in it.
 */
const longestPathIn = (folder: string): string => join(folder, `${prefix}XXXXXX`, ".s.PGSQL.5432.lock")

/** The temporary folder, unless its own path is too long for a socket. */
export const homeFor = (temporary: string): string =>
  Buffer.byteLength(longestPathIn(temporary)) <= socketPathMax ? temporary : "/tmp"

/** A folder that only the user may enter; removed with the scope. Only under the lock. */
export const make = Effect.fnUntraced(function* (options: {
  readonly directory: string
  readonly user: SystemUser | undefined
}) {
  const link = socketLink(options.directory)
  yield* clear(link)
  yield* atExit(() => clearNow(link))
  const home = homeFor(tmpdir())
  return yield* Effect.acquireRelease(
    Effect.tap(
      Effect.tryPromise({
        try: () => mkdtemp(join(home, prefix)),
        catch: (cause) =>
          new ProgramsUnusable({ reason: `no private folder can be made in ${home}: ${reasonOf(cause)}` })
      }),
      (folder) =>
        inFolder(options.directory, async () => {
          await symlink(folder, link)
          await give(folder, options.user)
        })
    ),
    () => clear(link)
  )
})

/** The same, synchronously. */
const clearNow = (link: string): void => {
  try {
    const folder = readlinkSync(link)
    if (basename(folder).startsWith(prefix)) rmSync(folder, { recursive: true, force: true })
    rmSync(link, { force: true })
  } catch {
    // Never made, or already gone.
  }
}

/** Removes the folder that the link leads to, which a killed service left behind, and nothing else. */
const clear = (link: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    const folder = await readlink(link).catch(() => "")
    const options = { recursive: true, force: true }
    // A folder that cannot be removed is no reason to stop.
    if (basename(folder).startsWith(prefix)) await rm(folder, options).catch(() => {})
    await rm(link, { force: true }).catch(() => {})
  })

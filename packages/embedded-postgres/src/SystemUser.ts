/**
 * The user that PostgreSQL runs as. PostgreSQL refuses to run as root, so a root
 * service runs it, and nothing else, as another user, who then owns its files.
 */
import { chown, lchown, readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { ProgramsUnusable } from "./EmbeddedFailure.ts"

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** The users that root may hand over to; the first one that the machine knows. */
const names = ["postgres", "nobody"]

const isRoot = (): boolean => process.getuid?.() === 0

/** The user of that name in the text of `/etc/passwd`. */
export const userIn = (passwd: string, name: string): SystemUser | undefined => {
  const fields = passwd
    .split("\n")
    .map((line) => line.split(":"))
    .find(([first]) => first === name)
  return fields && { uid: Number(fields[2]), gid: Number(fields[3]) }
}

/** Answers `undefined` for the user of this process. A user who already owns the cluster keeps it. */
export const choose = Effect.fnUntraced(function* (cluster: string) {
  if (!isRoot()) return undefined
  const owner = yield* Effect.promise(() => stat(cluster).catch(() => undefined))
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }

  const passwd = yield* Effect.promise(() => readFile("/etc/passwd", "utf8").catch(() => ""))
  const user = names.map((name) => userIn(passwd, name)).find((found) => found !== undefined)
  if (user !== undefined) return user
  return yield* new ProgramsUnusable({
    reason: `PostgreSQL refuses to run as root, and there is no user ${names.join(" or ")}; run this program as an ordinary user`
  })
})

/** Makes the user the owner of a file or folder. */
export const give = async (path: string, user: SystemUser | undefined): Promise<void> => {
  if (user !== undefined) await chown(path, user.uid, user.gid)
}

/** Makes the user the owner of a folder and everything in it. */
export const giveAll = async (folder: string, user: SystemUser | undefined): Promise<void> => {
  if (user === undefined) return
  for (const name of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, name), user.uid, user.gid)
  }
  await give(folder, user)
}

/** On Linux, a process's working folder, by a path that does not lead through the folders above it. */
const workingFolder = "/proc/self/cwd"

/**
 * The path of a folder for a program that is started inside it. Another user may
 * not have access to the folders above, such as `/root`.
 */
export const pathFor = (user: SystemUser | undefined, folder: string): string =>
  user !== undefined && process.platform === "linux" ? workingFolder : folder

/** The messages of a program that was started inside the folder, with the folder's real name. */
export const withRealPath = (words: string, folder: string): string => words.replaceAll(workingFolder, folder)

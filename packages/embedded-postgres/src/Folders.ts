/** Makes folders, and syncs them to the disk. */
import { mkdir, open, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { codeOf } from "./SystemFault.ts"

/**
 * Makes a folder for its user only, with missing folders above it, so that a power
 * cut takes none of them with their content. Rejects with the system's own failure,
 * also where Node's recursive `mkdir` would try for ever: where a folder is missing
 * and none can be made, as in `/proc`.
 */
export const makeFolder = async (folder: string): Promise<void> => {
  if (await isFolder(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch(async (cause: unknown) => {
    // Another process may have made it meanwhile.
    if (!(await isFolder(folder))) throw cause
  })
  await syncFolder(dirname(folder)).catch((cause: unknown) => {
    if (!mayStayUnread.has(codeOf(cause))) throw cause
  })
}

/** Syncs the names in a folder to the disk. */
export const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder)
  await handle.sync()
}

/** In a folder that may be entered but not read, names can be made but not synced. */
const mayStayUnread: ReadonlySet<string> = new Set(["EACCES", "EPERM"])

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    (cause: unknown) => {
      if (codeOf(cause) === "ENOENT") return false
      throw cause
    }
  )

/** Makes folders and syncs them to the disk, so that a power cut takes none of them with its content. */
import { mkdir, open, stat } from "node:fs/promises"
import { dirname } from "node:path"

/**
 * Makes a folder for its user only, with missing folders above it. Answers whether
 * it did: if several try at once, one does. Node's recursive `mkdir` would tell
 * several, since another may make the folder above.
 */
export const makeFolder = async (folder: string): Promise<boolean> => {
  if (await isFolder(folder)) return false
  await makeFolder(dirname(folder))
  const isMade = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    async (cause: unknown) => {
      if (!(await isFolder(folder))) throw cause
      return false
    }
  )
  if (isMade) await syncParent(folder)
  return isMade
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    (cause: unknown) => {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return false
      throw cause
    }
  )

/** Syncs the names in a folder to the disk. */
export const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder)
  await handle.sync()
}

/** In a folder that may be entered but not read, names can be made but not synced. */
const syncParent = (folder: string) =>
  syncFolder(dirname(folder)).catch((cause: unknown) => {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EACCES")) throw cause
  })

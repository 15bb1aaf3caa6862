/** Makes folders and syncs them to the disk, so that a power cut takes none of them with its content. */
import { mkdir, open } from "node:fs/promises"
import { dirname } from "node:path"

/**
 * Makes a folder for its user only, with missing folders above it. Answers whether
 * it did: if several try at once, one does.
 */
export const makeFolder = async (folder: string): Promise<boolean> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return false
  for (let made = folder; made !== dirname(first); made = dirname(made)) await syncParent(made)
  return true
}

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

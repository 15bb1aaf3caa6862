/** Folders, and putting them on the disk, so that a power cut takes none of them with what lies in it. */
import { mkdir, open } from "node:fs/promises"
import { dirname } from "node:path"

/** Makes a folder for its user alone, with those above it that are missing. Answers whether it did: of several at once, one does. */
export const makeFolder = async (folder: string): Promise<boolean> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return false
  for (let made = folder; made !== dirname(first); made = dirname(made)) await syncParent(made)
  return true
}

/** Puts the names in a folder on the disk. */
export const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder)
  await handle.sync()
}

/** In a folder that may be entered and not read, names can be made but not put on the disk. */
const syncParent = (folder: string) =>
  syncFolder(dirname(folder)).catch((cause: unknown) => {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EACCES")) throw cause
  })

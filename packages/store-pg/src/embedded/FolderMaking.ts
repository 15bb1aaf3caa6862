/** Makes folders. */
import { mkdir, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { codeOf } from "./SystemFault.ts"

/**
 * Makes a folder for its user alone, with those above it that are missing.
 * Rejects with the system's own failure, also where Node's recursive `mkdir`
 * would try for ever: where a folder is missing and none can be made, as in
 * `/proc`.
 */
export const makeFolder = async (folder: string): Promise<void> => {
  if (await isFolder(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch(async (cause: unknown) => {
    // Another process may have made it meanwhile.
    if (!(await isFolder(folder))) throw cause
  })
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    (cause: unknown) => {
      if (codeOf(cause) === "ENOENT") return false
      throw cause
    }
  )

/** Files on disk, where the runtime has a file system. */
import { randomName } from "../call/RandomName.ts"

/**
 * Writes bytes to a file under this path. They are gathered beside it and
 * renamed at the end, so that the path never holds half a file.
 */
export const writeFile = async (path: string, bytes: ReadableStream<Uint8Array>): Promise<void> => {
  const files = fileSystem()
  if (files === undefined) {
    await bytes.cancel()
    throw new TypeError("There is no file system here: save to a WritableStream")
  }
  if (/(^|[/\\])\.{0,2}$/.test(path) || path.includes("\0")) {
    await bytes.cancel()
    throw new TypeError("target must be the path of a file, and not of a folder")
  }
  const unfinished = `${path}.${randomName()}.part`
  try {
    await files.writeFile(unfinished, bytes, { flag: "wx" })
    await files.rename(unfinished, path)
  } catch (cause) {
    await files.rm(unfinished, { force: true })
    throw cause
  }
}

/** Loaded at run time: an import of `node:` would break bundlers for other runtimes. */
const fileSystem = () => globalThis.process?.getBuiltinModule?.("node:fs/promises")

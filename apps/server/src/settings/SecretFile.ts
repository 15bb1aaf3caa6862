/** Reads the file of a secret, as an editor of any system may have saved it. */
import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { codeOf } from "@runhook/embedded-postgres/SystemFault"
import * as Effect from "effect/Effect"

/** A secret is short, and a device may have no end. */
const bytesMax = 1024 * 1024

class NoFile extends Error {}

const bytesOf = async (file: string): Promise<Buffer> => {
  // Without waiting for somebody to write into a pipe.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new NoFile("is not a regular file")
    if (found.size > bytesMax) throw new NoFile("is larger than 1 MiB")
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Windows writes this mark before the text of UTF-8 and of UTF-16. */
const isUtf16 = (bytes: Buffer): boolean =>
  ["fffe", "feff"].includes(bytes.toString("hex", 0, 2)) || bytes.subarray(0, 64).includes(0)

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Its text, without the mark and the line ends that an editor adds; or what is wrong with it. */
export const secretIn = (file: string): Effect.Effect<string, string> =>
  Effect.tryPromise({
    try: async () => {
      const bytes = await bytesOf(file)
      if (isUtf16(bytes)) throw new NoFile("is UTF-16, as Notepad and PowerShell write it: save it as UTF-8")
      return utf8.decode(bytes).replace(/[\r\n]+$/, "")
    },
    catch: (cause) => {
      if (cause instanceof NoFile) return `${cause.message}: ${file}`
      return cause instanceof TypeError
        ? `is not UTF-8: ${file}`
        : `cannot be read: ${file} (${String(codeOf(cause))})`
    }
  })

/** Files in the data directory that only their owner can read. A file is complete, or not there. */
import { randomUUID } from "node:crypto"
import { link, open, readFile, rename, rm, stat } from "node:fs/promises"
import { makeFolder } from "@runhook/embedded-postgres/Folders"
import { codeOf, reasonOf } from "@runhook/embedded-postgres/SystemFault"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import { StartupProblems } from "../process/StartupProblems.ts"

export interface OwnerFile {
  readonly dataDir: string
  readonly name: string
}

export const pathOf = ({ dataDir, name }: OwnerFile): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.join(dataDir, name))

/** The content of the file, if it is there. Fails with why it cannot be read. */
export const read = Effect.fnUntraced(function* (file: OwnerFile) {
  const path = yield* pathOf(file)
  return yield* Effect.tryPromise({
    try: () => readFile(path, "utf8").then(Option.some, noneIfMissing),
    catch: reasonOf
  })
})

const noneIfMissing = (cause: unknown): Option.Option<string> => {
  if (codeOf(cause) === "ENOENT") return Option.none()
  throw cause
}

/** Whether somebody has let all users of the machine read the file. Windows has no such modes. */
export const isOpenToOthers = (file: OwnerFile) =>
  Effect.flatMap(pathOf(file), (path) =>
    Effect.promise(async () => process.platform !== "win32" && ((await stat(path)).mode & 0o004) !== 0)
  )

/** Replaces the file. */
export const replace = (file: OwnerFile, content: object) => put(file, content, rename)

/** Writes the file unless it exists, and answers whether it did. */
export const writeNew = (file: OwnerFile, content: object) =>
  put(file, content, async (from, to) => {
    try {
      await link(from, to)
    } catch (cause) {
      if (codeOf(cause) === "EEXIST") return false
      // A file system without links: nothing prevents two writers there.
      await rename(from, to)
    }
    return true
  })

/** Written beside its place, and moved there once it is on the disk: a crash leaves no half of it. */
const put = Effect.fnUntraced(function* <A>(
  file: OwnerFile,
  content: object,
  move: (from: string, to: string) => Promise<A>
) {
  const path = yield* pathOf(file)
  return yield* Effect.tryPromise({
    try: async () => {
      await makeFolder(file.dataDir)
      const beside = `${path}.${randomUUID()}`
      try {
        await writeDown(beside, `${JSON.stringify(content, null, 2)}\n`)
        return await move(beside, path)
      } finally {
        await rm(beside, { force: true })
        await syncFolder(file.dataDir)
      }
    },
    catch: (cause) =>
      new StartupProblems({
        problems: [
          `RUNHOOK_DATA_DIR cannot be written: ${file.dataDir}: ${reasonOf(cause)}; set it to a directory of this user`
        ]
      })
  })
})

const writeDown = async (path: string, text: string) => {
  await using file = await open(path, "wx", 0o600)
  await file.writeFile(text)
  await file.sync()
}

const syncFolder = async (folder: string) => {
  await using handle = await open(folder)
  await handle.sync()
}

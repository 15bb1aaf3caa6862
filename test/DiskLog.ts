/** What is asked of the disk, in order. The system's own functions do it; they are only written down. */
import fs from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"

export interface Entry {
  readonly act: "make" | "move" | "sync" | "write"
  readonly path: string
  /** Where it was before, when it moved. */
  readonly from?: string
}

const files = fs.promises

/** Every file that is opened has its methods from here. */
const methods = Effect.promise(async (): Promise<FileHandle> => {
  await using probe = await files.open(process.execPath)
  return Object.getPrototypeOf(probe)
})

/** Writes down what `work` asks of the disk, each entry when it is done. */
export const logged = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<ReadonlyArray<Entry>, E, R> =>
  Effect.flatMap(methods, (handle) => {
    const log = new Array<Entry>()
    const paths = new WeakMap<FileHandle, string>()
    const { link, mkdir, open, rename } = files
    const { appendFile, sync, write, writeFile } = handle
    const note = (file: FileHandle, act: "sync" | "write") => log.push({ act, path: paths.get(file) ?? "" })

    const begin = Effect.sync(() => {
      files.open = async (...args) => {
        const file = await open(...args)
        paths.set(file, String(args[0]))
        return file
      }
      files.rename = async (from, to) => {
        await rename(from, to)
        log.push({ act: "move", path: String(to), from: String(from) })
      }
      files.link = async (from, to) => {
        await link(from, to)
        log.push({ act: "move", path: String(to), from: String(from) })
      }
      Reflect.set(files, "mkdir", async (...args: Parameters<typeof mkdir>) => {
        const first = await mkdir(...args)
        log.push(...madeBy(args, first).map((path) => ({ act: "make", path }) as const))
        return first
      })
      handle.sync = async function (this: FileHandle) {
        await sync.call(this)
        note(this, "sync")
      }
      for (const [name, method] of Object.entries({ appendFile, write, writeFile })) {
        Reflect.set(handle, name, async function (this: FileHandle, ...args: ReadonlyArray<unknown>) {
          const written: unknown = await Reflect.apply(method, this, args)
          note(this, "write")
          return written
        })
      }
      syncBuiltinESMExports()
    })
    const end = Effect.sync(() => {
      Object.assign(files, { link, mkdir, open, rename })
      Object.assign(handle, { appendFile, sync, write, writeFile })
      syncBuiltinESMExports()
    })
    return Effect.as(
      Effect.acquireUseRelease(
        begin,
        () => work,
        () => end
      ),
      log
    )
  })

/** The folders that a call has made. One that makes those above too answers the first of them, or nothing. */
const madeBy = (
  [path, options]: Parameters<typeof files.mkdir>,
  first: string | undefined
): ReadonlyArray<string> => {
  const folder = String(path)
  if (typeof options !== "object" || options?.recursive !== true) return [folder]
  const made = new Array<string>()
  if (first !== undefined) {
    for (let each = folder; each !== dirname(first); each = dirname(each)) made.push(each)
  }
  return made
}

/** What a power cut could take of a file that was moved to its place: nothing, when it is on the disk with all it lies in. */
export const lossesOf = (log: ReadonlyArray<Entry>, path: string): ReadonlyArray<string> => {
  const moved = log.findLastIndex((entry) => entry.act === "move" && entry.path === path)
  if (moved < 0) return [`${path} was never moved to its place`]
  const isSynced = (what: string, { after, before = log.length }: { after: number; before?: number }) =>
    log.slice(after, before).some((entry) => entry.act === "sync" && entry.path === what)
  const source = log[moved]?.from ?? ""
  const written = log.findLastIndex((entry) => entry.act === "write" && entry.path === source)
  const folder = dirname(path)
  return [
    ...(written < 0 || !isSynced(source, { after: written, before: moved }) ? ["the bytes"] : []),
    ...(isSynced(folder, { after: moved }) ? [] : ["its name"]),
    ...foldersLost(log)
  ]
}

/** The folders that were made, of which a power cut could take the name. */
export const foldersLost = (log: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  log.flatMap((entry, place) => {
    if (entry.act !== "make") return []
    const isKept = log
      .slice(place)
      .some((later) => later.act === "sync" && later.path === dirname(entry.path))
    return isKept ? [] : [`the folder ${entry.path}`]
  })

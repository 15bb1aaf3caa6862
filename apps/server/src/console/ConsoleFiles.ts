/** The built files of the Integrations page: read once, each in its compressed forms. */
import { brotliCompressSync, gzipSync } from "node:zlib"
import { fingerprint } from "@runhook/core/signing/Fingerprint"
import { withLinks } from "@runhook/http/BaseUrl"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"

export interface ConsoleFile {
  readonly contentType: string
  readonly plain: Uint8Array
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
}

/** By their paths below the folder, such as `assets/index-B5gmg5oO.js`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

const contentTypes: { readonly [extension: string]: string } = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8"
}

/** Empty if nothing was built. */
export const readConsoleFiles = Effect.fn("ConsoleFiles.read")(function* (folder: URL) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const from = yield* Effect.orDie(path.fromFileUrl(folder))
  const names = yield* Effect.orElseSucceed(
    files.readDirectory(from, { recursive: true }),
    (): ReadonlyArray<string> => []
  )
  const served = names.filter((name) => path.extname(name) in contentTypes)
  const read = (name: string) => files.readFile(path.join(from, name))

  const entries = yield* Effect.forEach(
    served,
    Effect.fnUntraced(function* (name) {
      const file: ConsoleFile = {
        contentType: contentTypes[path.extname(name)] ?? "",
        plain: yield* read(name),
        brotli: yield* read(`${name}.br`),
        gzip: yield* read(`${name}.gz`)
      }
      return [name.replaceAll("\\", "/"), file] as const
    }),
    { concurrency: 16 }
  )
  const found: ConsoleFiles = new Map(entries)
  return found
}, Effect.orDie)

/** The page, which finds its files below the base URL's path, and its tag. */
export const linkedPage = ({ contentType, plain: built }: ConsoleFile, baseUrl: string) => {
  const text = withLinks(new TextDecoder().decode(built), baseUrl)
  const plain = new TextEncoder().encode(text)
  const file: ConsoleFile = { contentType, plain, brotli: brotliCompressSync(plain), gzip: gzipSync(plain) }
  return { ...file, tag: fingerprint(text) }
}

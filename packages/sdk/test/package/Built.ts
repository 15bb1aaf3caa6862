/** The package as `npm run pack` packs it, unpacked into a folder of the test's own. */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export const compiler = fileURLToPath(new URL("./bin/tsc", import.meta.resolve("typescript/package.json")))

const packing = fileURLToPath(new URL("../../../../scripts/pack/main.ts", import.meta.url))

interface Target {
  readonly types: string
  readonly default: string
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, { readonly import: Target; readonly require: Target }>>
}

export interface Built extends AsyncDisposable {
  readonly directory: string
  readonly manifest: Manifest
  /** What would be published, by its path. */
  readonly files: ReadonlyMap<string, string>
}

export const buildPackage = async (): Promise<Built> => {
  const root = await mkdtemp(join(tmpdir(), "runhook-sdk-built-"))
  await promisify(execFile)(process.execPath, [packing, "--only", "@runhook/sdk", "--into", root])
  const tarball = (await readdir(root)).find((name) => name.endsWith(".tgz")) ?? ""
  await promisify(execFile)("tar", ["-xzf", join(root, tarball), "-C", root])
  const directory = join(root, "package")

  const found = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = new Map<string, string>()
  for (const path of paths) files.set(path.slice(directory.length + 1), await readFile(path, "utf8"))
  const { exports, ...manifest } = JSON.parse(files.get("package.json") ?? "{}")
  const { "./package.json": _itself, ...entries } = exports
  return {
    directory,
    manifest: { ...manifest, exports: entries },
    files,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true })
  }
}

/** The package as `npm pack` packs it, from a copy of its folder, unpacked into a folder of the test's own. */
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const repository = fileURLToPath(new URL("../../../..", import.meta.url))
const home = join(repository, "packages/sdk")
/** Compilers and other programs share their machine with other tests. */
export const compilingTimeoutMs = 60_000

export const compiler = fileURLToPath(new URL("./bin/tsc", import.meta.resolve("typescript/package.json")))

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

/** What packing reads, where it may write. */
const copyInto = async (directory: string): Promise<string> => {
  const copy = join(directory, "packages/sdk")
  await mkdir(copy, { recursive: true })
  await cp(join(repository, "tsconfig.base.json"), join(directory, "tsconfig.base.json"))
  await symlink(join(repository, "node_modules"), join(directory, "node_modules"))
  await symlink(join(home, "node_modules"), join(copy, "node_modules"))
  for (const name of ["src", "Build.ts", "Pack.ts", "README.md", "package.json", "tsconfig.build.json"]) {
    await cp(join(home, name), join(copy, name), { recursive: true })
  }
  return copy
}

export const buildPackage = async (): Promise<Built> => {
  const root = await mkdtemp(join(tmpdir(), "runhook-sdk-built-"))
  const copy = await copyInto(root)
  await promisify(execFile)("npm", ["pack", "--silent", "--pack-destination", root], { cwd: copy })
  const tarball = (await readdir(root)).find((name) => name.endsWith(".tgz")) ?? ""
  await promisify(execFile)("tar", ["-xzf", join(root, tarball), "-C", root])
  const directory = join(root, "package")

  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = new Map<string, string>()
  for (const path of paths) files.set(path.slice(directory.length + 1), await readFile(path, "utf8"))
  return {
    directory,
    manifest: JSON.parse(files.get("package.json") ?? "{}"),
    files,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true })
  }
}

/** The package as it is published, built into a folder of the test's own. */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const home = fileURLToPath(new URL("../..", import.meta.url))
/** Compilers and other programs share their machine with other tests. */
export const compilingTimeoutMs = 60_000

export const compiler = fileURLToPath(new URL("./bin/tsc", import.meta.resolve("typescript/package.json")))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>
}

export interface Built extends AsyncDisposable {
  readonly directory: string
  readonly manifest: Manifest
  /** What would be published, by its path. */
  readonly files: ReadonlyMap<string, string>
}

export const buildPackage = async (): Promise<Built> => {
  const directory = await mkdtemp(join(tmpdir(), "runhook-sdk-built-"))
  const project = join(home, "tsconfig.build.json")
  await promisify(execFile)(process.execPath, [compiler, "-p", project, "--outDir", join(directory, "dist")])
  const { publishConfig, ...manifest } = JSON.parse(await readFile(join(home, "package.json"), "utf8"))
  // As pnpm publishes it.
  const published: Manifest = { ...manifest, ...publishConfig }
  await writeFile(join(directory, "package.json"), JSON.stringify(published, null, 2))
  await writeFile(join(directory, "README.md"), await readFile(join(home, "README.md")))

  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = new Map<string, string>()
  for (const path of paths) files.set(path.slice(directory.length + 1), await readFile(path, "utf8"))
  return {
    directory,
    manifest: published,
    files,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true })
  }
}

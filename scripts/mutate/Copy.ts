/** A copy of the working tree, with uncommitted changes, in its own folder: the tree itself is never changed. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

export interface Copy {
  readonly folder: string
  /** For temporary files of the tests. */
  readonly temporary: string
  readonly read: (file: string) => Promise<string>
  readonly write: (file: string, text: string) => Promise<void>
}

const mebibyte = 1_048_576

/** The tracked and the untracked files, without ignored and deleted ones. */
const filesOf = async (root: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await promisify(execFile)(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { cwd: root, maxBuffer: 64 * mebibyte }
  )
  return [...new Set(stdout.split("\0"))].filter((file) => file !== "" && existsSync(join(root, file)))
}

/** Installed packages are links: those to workspace packages lead into the copy. */
const linkDependencies = async (root: string, folder: string, files: ReadonlyArray<string>) => {
  const packages = files.filter((file) => /(^|\/)package\.json$/.test(file)).map((file) => dirname(file))
  for (const each of packages) {
    const installed = join(root, each, "node_modules")
    if (!existsSync(installed)) continue
    await cp(installed, join(folder, each, "node_modules"), {
      recursive: true,
      verbatimSymlinks: true,
      // Dot files are caches and the package store, which is linked below.
      filter: (path) => !path.slice(installed.length).startsWith("/.")
    })
  }
  await symlink(join(root, "node_modules/.pnpm"), join(folder, "node_modules/.pnpm"))
}

/** Makes it; it is removed with the resources. */
export const make = async (root: string, resources: AsyncDisposableStack): Promise<Copy> => {
  const folder = await mkdtemp(join(tmpdir(), "runhook-mutate-"))
  // The databases of the tests may be another user's, who must get through to `temporary`.
  await chmod(folder, 0o711)
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const temporary = join(folder, "temporary")
  await mkdir(temporary)
  await chmod(temporary, 0o1777)
  const files = await filesOf(root)
  for (const file of files) {
    await mkdir(join(folder, dirname(file)), { recursive: true })
    await cp(join(root, file), join(folder, file), { verbatimSymlinks: true })
  }
  await linkDependencies(root, folder, files)
  return {
    folder,
    temporary,
    read: (file) => readFile(join(folder, file), "utf8"),
    write: (file, text) => writeFile(join(folder, file), text)
  }
}

/**
 * The packages as npm installs them, without a registry: tarballs are unpacked outside of the workspace, and each
 * finds beside it what its own manifest names and nothing else. What others wrote comes from the workspace, which
 * has the versions that the manifests ask for.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import type { Manifest, Versions } from "../../scripts/pack/Manifest.ts"
import { pack, type Packed } from "../../scripts/pack/Packing.ts"
import { publicPackages, root } from "../../scripts/pack/PublicPackages.ts"

export interface Installation extends AsyncDisposable {
  readonly packed: ReadonlyArray<Packed>
  /** Where a package was unpacked. */
  readonly folderOf: (name: string) => string
  /** A new folder, in which these are installed. */
  readonly folderWith: (names: ReadonlyArray<string>) => Promise<string>
}

/** Where the workspace may have a package that a page has its readers install. */
const places = ["examples/embedder", ".", "packages/store-pg", "packages/store-testing"].map((each) =>
  join(root, each)
)

const placeOf = (name: string) => {
  const place = places.find((each) => existsSync(join(each, "node_modules", name)))
  if (place === undefined) throw new Error(`The workspace has no ${name}`)
  return place
}

export const install = async (): Promise<Installation> => {
  const home = await mkdtemp(join(tmpdir(), "runhook it's installed "))
  // The database of a test may be another user's, who must get through.
  await chmod(home, 0o711)
  const packed = await pack({ into: join(home, "tarballs") })
  const ours = new Set(packed.map(({ manifest }) => manifest.name))
  const folderOf = (name: string) => join(home, "store", name, "node_modules", name)

  const linkInto = async (modules: string, name: string, from: string) => {
    const target = ours.has(name) ? folderOf(name) : join(from, "node_modules", name)
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(await realpath(target), join(modules, name))
  }

  const unpack = async ({ file, manifest }: Packed) => {
    const folder = folderOf(manifest.name)
    await mkdir(folder, { recursive: true })
    await promisify(execFile)("tar", ["-xzf", file, "-C", folder, "--strip-components=1"])
  }

  const link = async ({ manifest: { name } }: Packed) => {
    const manifest = await manifestIn(folderOf(name))
    const from = join(root, publicPackages().find((each) => each.manifest.name === name)?.folder ?? "")
    for (const [needed, range] of Object.entries(neededBy(manifest))) {
      const isOptional = needed in (manifest.optionalDependencies ?? {})
      if (isOptional && !existsSync(join(from, "node_modules", needed))) continue
      const modules = join(home, "store", name, "node_modules")
      await linkInto(modules, needed, from)
      const { version } = await manifestIn(join(modules, needed))
      if (!admits(range, version)) throw new Error(`${name} asks for ${needed} ${range}, and gets ${version}`)
    }
  }

  await Promise.all(packed.map(unpack))
  for (const each of packed) await link(each)

  let folders = 0
  return {
    packed,
    folderOf,
    folderWith: async (names) => {
      const folder = join(home, `folder ${++folders}`)
      const modules = join(folder, "node_modules")
      await mkdir(join(modules, ".bin"), { recursive: true })
      for (const name of names) {
        await linkInto(modules, name, ours.has(name) ? root : placeOf(name))
        const { bin = {} } = await manifestIn(join(modules, name))
        for (const [command, file] of Object.entries(bin)) {
          await symlink(join(modules, name, file), join(modules, ".bin", command))
        }
      }
      return folder
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true })
  }
}

const manifestIn = async (
  folder: string
): Promise<Manifest & { readonly bin?: Versions; readonly peerDependenciesMeta?: Manifest }> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8"))

/** What npm installs for a package, including peers that are not optional. */
export const neededBy = ({ dependencies, optionalDependencies, peerDependencies }: Manifest): Versions => ({
  ...dependencies,
  ...optionalDependencies,
  ...peerDependencies
})

/** Of the ranges that our manifests have. */
const admits = (range: string, version: string): boolean => {
  const parts = { "~": 2, "^": 1 }[range[0] ?? ""] ?? 3
  const [asked, given] = [range.replace(/^[~^]/, ""), version].map((each) =>
    each.split(".").slice(0, parts).join(".")
  )
  return asked === given
}

/** Builds the public packages, and writes the tarball of each. */
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { join, normalize } from "node:path"
import { promisify } from "node:util"
import { compile } from "./Compilation.ts"
import { type Manifest, published } from "./Manifest.ts"
import { type PublicPackage, publicPackages, root } from "./PublicPackages.ts"
import { settle } from "./Settling.ts"
import { type Content, write } from "./Tarball.ts"

export interface Packed extends Content {
  readonly manifest: Manifest
  /** The tarball. */
  readonly file: string
}

export interface PackOptions {
  /** The folder for the tarballs. */
  readonly into: string
  /** Names of packages. Default: all that are public. */
  readonly only?: ReadonlyArray<string>
}

/** Returns the packages in the order of publication: each after its dependencies. */
export const pack = async ({ into, only }: PackOptions): Promise<ReadonlyArray<Packed>> => {
  const all = publicPackages()
  const versions = new Map(all.map(({ manifest: { name, version } }) => [name, version]))
  const chosen = all.filter(({ manifest }) => only?.includes(manifest.name) ?? true)
  await mkdir(into, { recursive: true })
  // On the volume of the tarballs, and where the compiler can resolve imports.
  const temporary = await mkdtemp(join(into, ".packing-"))
  const stageOf = ({ folder }: PublicPackage) => join(temporary, folder)
  try {
    const compiled = chosen.filter(({ manifest }) => manifest.scripts?.["build"] === undefined)
    await Promise.all([
      compile(new Map(compiled.map((each) => [each.folder, stageOf(each)])), temporary),
      ...chosen.filter((each) => !compiled.includes(each)).map((each) => buildItself(each, stageOf(each)))
    ])
    return await Promise.all(chosen.map((each) => finish(each, { stage: stageOf(each), into, versions })))
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** A package that is more than its sources compiled says how it is built, into the folder that is given. */
const buildItself = async ({ folder, manifest }: PublicPackage, stage: string): Promise<void> => {
  await mkdir(stage, { recursive: true })
  const { NODE_ENV: _environment, ...env } = process.env
  await promisify(execFile)("/bin/sh", ["-c", `${manifest.scripts?.["build"]} "$0"`, stage], {
    cwd: join(root, folder),
    env
  }).catch(({ stderr, stdout }) => {
    throw new Error(`${manifest.name} cannot be built:\n${stdout}${stderr}`)
  })
}

const finish = async (
  { folder, manifest: workspace }: PublicPackage,
  {
    into,
    stage,
    versions
  }: { readonly into: string; readonly stage: string; readonly versions: ReadonlyMap<string, string> }
): Promise<Packed> => {
  await settle(stage)
  const folders = (await readdir(stage)).toSorted()
  const manifest = { ...published(workspace, versions), files: folders }
  await writeFile(join(stage, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  await cp(join(root, folder, "README.md"), join(stage, "README.md"))
  await cp(join(root, "LICENSE"), join(stage, "LICENSE"))
  const file = join(into, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`)
  return { manifest, file, ...(await write(stage, file, executablesOf(manifest))) }
}

const executablesOf = ({ bin = {} }: Manifest) => new Set(Object.values(bin).map((path) => normalize(path)))

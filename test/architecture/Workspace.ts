/** The packages of this workspace and the files in them. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"

export const root = join(import.meta.dirname, "../..")

const Versions = Schema.Record(Schema.String, Schema.String)

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    name: Schema.String,
    dependencies: Schema.optionalKey(Versions),
    devDependencies: Schema.optionalKey(Versions),
    peerDependencies: Schema.optionalKey(Versions)
  })
)

const manifestOf = (packageFolder: string) =>
  Schema.decodeSync(Manifest)(readFileSync(join(root, packageFolder, "package.json"), "utf8"))

const dependenciesOf = (packageFolder: string): ReadonlySet<string> => {
  const { dependencies, peerDependencies } = manifestOf(packageFolder)
  return new Set(Object.keys({ ...dependencies, ...peerDependencies }))
}

const filesOf = (packageFolder: string): ReadonlyArray<string> =>
  globSync(`${packageFolder}/{src,test}/**/*.{ts,tsx}`, { cwd: root })

/** Every package, with its files as paths from the root. */
export const workspace = globSync("{apps,examples,packages}/*/package.json", { cwd: root }).map(
  (manifest) => {
    const folder = manifest.slice(0, -"/package.json".length)
    return { folder, dependencies: dependenciesOf(folder), files: filesOf(folder) }
  }
)

/** The packages each package links to, for its tests too. An installation warns of cycles among them. */
export const links: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  workspace.map(({ folder }) => {
    const { dependencies, devDependencies, name } = manifestOf(folder)
    const linked = Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, version]) => version.startsWith("workspace:"))
      .map(([linkedName]) => linkedName)
    return [name, linked]
  })
)

export const read = (file: string): string => readFileSync(join(root, file), "utf8")

/** The packages of this workspace and the files in them. */
import * as Schema from "effect/Schema"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

const Versions = Schema.Record(Schema.String, Schema.String)

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    dependencies: Schema.optionalKey(Versions),
    peerDependencies: Schema.optionalKey(Versions)
  })
)

const dependenciesOf = (packageFolder: string): ReadonlySet<string> => {
  const manifest = readFileSync(join(root, packageFolder, "package.json"), "utf8")
  const { dependencies, peerDependencies } = Schema.decodeSync(Manifest)(manifest)
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

export const read = (file: string): string => readFileSync(join(root, file), "utf8")

/** What packages bring along: what is installed with each by the lock file, and what is bundled into it by its notices. */
import { execFileSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Yaml from "effect/encoding/Yaml"
import * as Schema from "effect/Schema"
import type { Manifest } from "../pack/Manifest.ts"
import type { Packed } from "../pack/Packing.ts"
import { publicPackages } from "../pack/PublicPackages.ts"

const Versions = Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
const Locked = Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ version: Schema.String })))
const Lock = Schema.Struct({
  importers: Schema.Record(
    Schema.String,
    Schema.Struct({ dependencies: Locked, devDependencies: Locked, optionalDependencies: Locked })
  ),
  packages: Schema.Record(
    Schema.String,
    Schema.Struct({ resolution: Schema.Struct({ integrity: Schema.optionalKey(Schema.String) }) })
  ),
  snapshots: Schema.Record(
    Schema.String,
    Schema.Struct({ dependencies: Versions, optionalDependencies: Versions })
  )
})

export interface Component {
  readonly name: string
  readonly version: string
  /** Of the tarball in the registry, as npm writes it: `sha512-…`. Undefined for packages of this workspace. */
  readonly integrity: string | undefined
  /** An SPDX expression. Undefined for a package of another platform, which is not installed here. */
  readonly licence: string | undefined
  /** By `name@version`. */
  readonly needs: ReadonlyArray<string>
}

/** By `name@version`. */
export type Components = ReadonlyMap<string, Component>

/** Without the peers that tell installations of one version apart. */
const plain = (key: string): string => key.replace(/\(.*$/, "")

const licencesIn = (root: string): ReadonlyMap<string, string> =>
  new Map(
    globSync("node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json", { cwd: root }).map((file) => {
      const { license, name, version }: Manifest = JSON.parse(readFileSync(join(root, file), "utf8"))
      return [`${name}@${version}`, typeof license === "string" ? license : "none named"]
    })
  )

/** Packages whose licences lie in the tarball, since their code does. The lock file tells their names from other words. */
const bundledIn = ({ file }: Packed): ReadonlyArray<string> => {
  const files = execFileSync("tar", ["-tzf", file], { encoding: "utf8" }).split("\n")
  const notices = files.filter((each) => /^package\/dist\/(?:licenses\.md|NOTICES\.txt)$/.test(each))
  if (notices.length === 0) return []
  const text = execFileSync("tar", ["-xzOf", file, ...notices], { encoding: "utf8", maxBuffer: 2 ** 26 })
  return [...text.matchAll(/^(?:## )?(\S+) (?:- )?(\d\S*)(?: \(.*\))?$/gm)].map(
    ([, name, version]) => `${name}@${version}`
  )
}

/** Answers what each package brings along. */
export const componentsOf = (root: string, packed: ReadonlyArray<Packed>) => {
  const lock = Schema.decodeUnknownSync(Lock)(Yaml.parse(readFileSync(join(root, "pnpm-lock.yaml"), "utf8")))
  const licences = licencesIn(root)
  const folders = new Map(publicPackages().map(({ folder, manifest }) => [manifest.name, folder]))
  const ours = new Map(packed.map((each) => [each.manifest.name, each.manifest]))

  /** A name may stand for a package of another, which is locked under its own. */
  const keyOf = ([name, version]: readonly [string, string]) =>
    `${name}@${version}` in lock.snapshots ? `${name}@${version}` : version

  const neededBy = (key: string) => {
    const { dependencies, optionalDependencies } = lock.snapshots[key] ?? {}
    return Object.entries({ ...optionalDependencies, ...dependencies }).map(keyOf)
  }

  const locked = ({ name }: Manifest, needs: Manifest["dependencies"]) => {
    const { dependencies, devDependencies, optionalDependencies } =
      lock.importers[folders.get(name) ?? ""] ?? {}
    const versions = { ...devDependencies, ...optionalDependencies, ...dependencies }
    return Object.keys(needs ?? {}).map((needed) => {
      const own = ours.get(needed)
      return own === undefined ? keyOf([needed, versions[needed]?.version ?? ""]) : `${needed}@${own.version}`
    })
  }

  const installedWith = (manifest: Manifest) =>
    locked(manifest, { ...manifest.dependencies, ...manifest.optionalDependencies })

  return (subject: Packed): Components => {
    const found = new Map<string, Component>()
    const add = (key: string): ReadonlyArray<string> => {
      const id = plain(key)
      if (found.has(id)) return []
      const at = id.lastIndexOf("@")
      const [name, version] = [id.slice(0, at), id.slice(at + 1)]
      const own = ours.get(name)
      const needs = own === undefined ? neededBy(key) : installedWith(own)
      const licence = own === undefined ? licences.get(id) : String(own["license"])
      const integrity = lock.packages[id]?.resolution.integrity
      found.set(id, { name, version, integrity, licence, needs: needs.map(plain) })
      return needs
    }
    const addAll = (keys: ReadonlyArray<string>): void => keys.forEach((key) => addAll(add(key)))
    addAll(installedWith(subject.manifest))
    // Those who install the package choose these, and what they bring.
    locked(subject.manifest, subject.manifest.peerDependencies).forEach(add)
    bundledIn(subject)
      .filter((id) => id in lock.packages)
      .forEach(add)
    return found
  }
}

/** The packages of the workspace that others may install: those that are not private. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Manifest } from "./Manifest.ts"

export const root = fileURLToPath(new URL("../../", import.meta.url))

export interface PublicPackage {
  /** Such as `packages/core`. */
  readonly folder: string
  readonly manifest: Manifest
}

/** Each comes after its dependencies. */
export const publicPackages = (): ReadonlyArray<PublicPackage> => {
  const found = globSync("{apps,packages}/*/package.json", { cwd: root })
    .toSorted()
    .map((file): PublicPackage => {
      const manifest: Manifest = JSON.parse(readFileSync(join(root, file), "utf8"))
      return { folder: file.slice(0, -"/package.json".length), manifest }
    })
    .filter(({ manifest }) => manifest.private !== true)
  const byName = new Map(found.map((each) => [each.manifest.name, each]))
  const ordered = new Set<PublicPackage>()
  const add = (each: PublicPackage): void => {
    if (ordered.has(each)) return
    const { dependencies, peerDependencies } = { ...each.manifest, ...each.manifest.publishConfig }
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const needed = byName.get(name)
      if (needed !== undefined) add(needed)
    }
    ordered.add(each)
  }
  found.forEach(add)
  return [...ordered]
}

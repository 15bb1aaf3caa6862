/** A package's manifest: in the workspace, which runs its sources, and as it is installed. */

export type Versions = Readonly<Record<string, string>>

/** The path of an entry, or a path for each condition. */
export type Target = string | { readonly [condition: string]: Target }

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly sideEffects?: boolean | ReadonlyArray<string>
  readonly bin?: Versions
  readonly exports?: { readonly [entry: string]: Target }
  readonly scripts?: Versions
  readonly dependencies?: Versions
  readonly devDependencies?: Versions
  readonly optionalDependencies?: Versions
  readonly peerDependencies?: Versions
  /** Overrides the fields it names in the tarball. */
  readonly publishConfig?: Partial<Manifest>
  readonly [field: string]: unknown
}

/** The manifest of the tarball. `versions` are those of the packages of the workspace. */
export const published = (workspace: Manifest, versions: ReadonlyMap<string, string>): Manifest => {
  const { devDependencies: _tools, publishConfig = {}, scripts: _scripts, ...own } = workspace
  const { access: _access, ...instead } = publishConfig
  const manifest: Manifest = { ...own, ...instead }
  const { dependencies: _own, ...rest } = manifest
  const dependencies = dependenciesOf(manifest, versions)
  return {
    ...rest,
    ...(manifest.exports !== undefined && { exports: builtEntries(manifest.exports) }),
    ...(Array.isArray(manifest.sideEffects) && { sideEffects: manifest.sideEffects.map(scriptOf) }),
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
    // A package with a scope is private to its publisher otherwise.
    publishConfig: { access: "public" }
  }
}

const builtEntries = (exports: NonNullable<Manifest["exports"]>): NonNullable<Manifest["exports"]> => ({
  ...Object.fromEntries(Object.entries(exports).map(([entry, target]) => [entry, builtTarget(target)])),
  // Tools look into it.
  "./package.json": "./package.json"
})

/** The script of a source, and its types beside it. */
const builtTarget = (target: Target): Target =>
  typeof target === "string" && isSource(target)
    ? { types: typesOf(target), default: scriptOf(target) }
    : target

const isSource = (path: string): boolean => path.startsWith("./src/") && path.endsWith(".ts")

const scriptOf = (source: string): string => source.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, ".js")

const typesOf = (source: string): string => scriptOf(source).replace(/\.js$/, ".d.ts")

/** Without what the host brings along, and with those of the workspace in their very version: they are released together. */
const dependenciesOf = (manifest: Manifest, versions: ReadonlyMap<string, string>): Versions => {
  const peers = new Set(Object.keys(manifest.peerDependencies ?? {}))
  const needed = Object.entries(manifest.dependencies ?? {}).filter(([name]) => !peers.has(name))
  return Object.fromEntries(
    needed.map(([name, version]) => [
      name,
      // `workspace:^` becomes `^1.2.3`, and `workspace:*` the very version.
      version.replace(/^workspace:([~^]?).*/, (_, sign) => sign + versionOf(name, manifest, versions))
    ])
  )
}

const versionOf = (
  name: string,
  { name: dependent }: Manifest,
  versions: ReadonlyMap<string, string>
): string => {
  const version = versions.get(name)
  if (version === undefined) throw new Error(`${dependent} depends on ${name}, which is not public`)
  return version
}

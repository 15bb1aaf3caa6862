/** Whether a file of the workspace imports only what it may. */
import { matchesGlob, posix } from "node:path"
import { importsOf } from "./Imports.ts"
import type { Import } from "./Imports.ts"
import { importTable } from "./ImportTable.ts"

/** A whole folder of Effect, which would load every module in it at start. */
const effectBarrel = /^(effect(\/[a-z-]+)*|@effect\/platform-node)$/

const isRelative = (specifier: string): boolean => specifier.startsWith(".")

const isSource = (file: string): boolean => file.split("/")[2] === "src"

/** Values of all nouns, which know none of them. */
const shared = "packages/core/src/shared"

/** The folder a file's relative imports must stay in: `src` for most sources, the whole package for tests. */
const homeOf = (file: string): string => {
  if (file.startsWith(`${shared}/`)) return shared
  const depth = isSource(file) ? 3 : 2
  return file.split("/").slice(0, depth).join("/")
}

const staysHome = (file: string, specifier: string): boolean =>
  posix.join(posix.dirname(file), specifier).startsWith(`${homeOf(file)}/`)

const tableAllows = (file: string, specifier: string, typesOnly: boolean): boolean =>
  importTable
    .filter((row) => matchesGlob(file, row.files))
    .flatMap((row) => (typesOnly ? [...row.may, ...(row.mayTypes ?? [])] : row.may))
    .some((glob) => matchesGlob(specifier, glob))

/** The package a module belongs to: `@scope/name` or `name`. */
const packageOf = (specifier: string): string =>
  specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")

const importProblem = (
  file: string,
  { specifier, typesOnly }: Import,
  dependencies: ReadonlySet<string>
): string | undefined => {
  if (specifier === null) return `${file} imports a module whose name is computed`
  if (isRelative(specifier)) {
    return staysHome(file, specifier) ? undefined : `${file} reaches out of ${homeOf(file)}: ${specifier}`
  }
  if (!isSource(file)) return undefined
  if (effectBarrel.test(specifier)) return `${file} imports a barrel: ${specifier}`
  if (!tableAllows(file, specifier, typesOnly)) {
    return `${file} may not import ${typesOnly ? "types from " : ""}${specifier}`
  }
  if (!specifier.startsWith("node:") && !dependencies.has(packageOf(specifier))) {
    return `${file} imports ${specifier}, which its package.json does not name`
  }
  return undefined
}

/**
 * What is wrong with a file's imports, as sentences; empty when nothing is.
 *
 * `file` is a path from the root of the workspace, `dependencies` are those of
 * its package.json. Tests may import any package, but not reach into one.
 */
export const importProblems = (
  file: string,
  source: string,
  dependencies: ReadonlySet<string>
): ReadonlyArray<string> =>
  importsOf(file, source)
    .map((imported) => importProblem(file, imported, dependencies))
    .filter((problem) => problem !== undefined)

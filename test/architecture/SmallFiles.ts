/** Small files with few importers: each is a detour for the reader, and no idea that is reused. */
import { matchesGlob } from "node:path/posix"
import { filesBehind } from "./Imports.ts"
import { read, workspace } from "./Workspace.ts"

/** Fewest lines of a file that one other file reads. */
const linesMin = 20

/** Files that stand alone because of what they are, and not because of how much they hold. */
const ofTheirKind = [
  // A part of the server that Server.ts chooses, a command, a page, a call by its noun, a store by its port.
  "apps/server/src/{commands,network,storage}/*.ts",
  "packages/docs-site/src/pages/*.ts",
  "packages/sdk/src/requests/**",
  "packages/store-memory/src/**/Memory*Store.ts",
  // Where a thread begins.
  "packages/params/src/workers/SchemaWorker.ts",
  "packages/sdk/src/runner/HeartbeatThread.ts",
  "packages/store-pg/src/schema/*.ts",
  // Written at a release.
  "packages/sdk/src/Version.ts",
  "packages/console/src/**"
]

/** Small files of the sources that fewer than two others read, tests among them. */
export const smallFilesOfFewReaders = (): ReadonlyArray<string> => {
  const files = workspace.flatMap((each) => each.files)
  const readers = new Map<string, number>()
  for (const file of files) {
    for (const path of filesBehind(file, read(file))) readers.set(path, (readers.get(path) ?? 0) + 1)
  }
  return files.filter(
    (file) =>
      /^(?:apps|packages)\/[\w-]+\/src\//.test(file) &&
      !ofTheirKind.some((glob) => matchesGlob(file, glob)) &&
      read(file).trimEnd().split("\n").length < linesMin &&
      (readers.get(file) ?? 0) < 2
  )
}

/** Finds the files of a directory again by their names. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { onDisk } from "./DiskFault.ts"
import { folderOf, StorageKey } from "./StorageKey.ts"

const isKey = Schema.is(StorageKey)

const namesIn = (folder: string) => onDisk(`list ${folder}`, () => readdir(folder))

/** The folders that have files, in their order. */
export const foldersIn = (directory: string) =>
  Effect.map(namesIn(directory), (names) => names.filter((name) => /^[0-9a-f]{3}$/.test(name)).toSorted())

/** The keys of the files in one of them. */
export const keysIn = (directory: string, folder: string) =>
  Effect.map(namesIn(join(directory, folder)), (names) =>
    names
      .map((name) => name.replaceAll("_", "/"))
      .filter(isKey)
      .filter((key) => folderOf(directory, key) === join(directory, folder))
  )

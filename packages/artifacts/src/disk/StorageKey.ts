/** Names the bytes of one artifact by three ids; every path on disk is made of them. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

export const StorageKey = Schema.String.check(
  Schema.isPattern(new RegExp(`^${uuid}/${uuid}/${uuid}$`, "u"), {
    expected: "a storage key of three lower-case UUIDs with slashes between them"
  })
).pipe(Schema.brand("StorageKey"))
export type StorageKey = typeof StorageKey.Type

/**
 * The key, or a defect: callers make keys of ids, so any other text is their fault
 * and never reaches the disk.
 */
export const storageKey = (key: string): Effect.Effect<StorageKey> =>
  Effect.orDie(Schema.decodeEffect(StorageKey)(key))

/** Where uploads are stored until they are complete: on the same file system as the files they become. */
export const incomingFolder = (directory: string): string => join(directory, "incoming")

/** The folder of a key: one of 4,096, by the last digits, which are random in a UUIDv7; the first are not. */
export const folderOf = (directory: string, key: StorageKey): string => join(directory, key.slice(-3))

/** The file of a key. */
export const pathOf = (directory: string, key: StorageKey): string =>
  join(folderOf(directory, key), key.replaceAll("/", "_"))

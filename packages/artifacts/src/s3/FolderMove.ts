/**
 * Sends the files of a folder, where `DiskArtifacts` keeps them, to a bucket. It may
 * end at any time and run again: what is in the bucket is not sent again.
 */
import { type FileHandle, open, rm } from "node:fs/promises"
import { beginningBytes, shownAs } from "@runhook/core/artifacts/ShownMediaType"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type DiskFault, onDisk } from "../disk/DiskFault.ts"
import { pathOf } from "../disk/StorageKey.ts"
import { sealBytes } from "../disk/StoredFile.ts"
import { foldersIn, keysIn } from "../disk/StoredNames.ts"
import { expiresIn, send, unanswered } from "./Sending.ts"

/** A file that is in the bucket now: `there` if it was before. One that is `broken` is not: its bytes are not what they were. */
export interface Moved {
  readonly path: string
  readonly sizeBytes: number
  readonly outcome: "broken" | "sent" | "there"
}

export interface Options {
  readonly directory: string
  /** Whether files that are in the bucket are removed from the folder. */
  readonly isRemoving: boolean
}

/** Files that are under way at once. */
const concurrency = 8

/** Every file of the folder, as it is done. Ends with the defect `StorageUnavailable` if the bucket cannot be used. */
export const move = ({ directory, isRemoving }: Options): Stream.Stream<Moved, DiskFault, ArtifactStorage> =>
  Stream.mapEffect(
    keysOf(directory),
    Effect.fnUntraced(function* (key) {
      const path = pathOf(directory, key)
      const moved = yield* Effect.scoped(moveFile(path, key))
      if (isRemoving && moved.outcome !== "broken") yield* onDisk(`remove ${path}`, () => rm(path))
      return moved
    }),
    { concurrency, unordered: true }
  )

/** How many files the folder has. */
export const count = (directory: string): Effect.Effect<number, DiskFault> =>
  Stream.runCount(keysOf(directory))

const keysOf = (directory: string) =>
  Stream.fromIterableEffect(foldersIn(directory)).pipe(
    Stream.flatMap((folder) => Stream.fromIterableEffect(keysIn(directory, folder)))
  )

const moveFile = Effect.fnUntraced(function* (path: string, key: string) {
  const storage = yield* ArtifactStorage
  const file = yield* Effect.acquireRelease(
    onDisk(`open ${path}`, () => open(path)),
    (each) => Effect.promise(() => each.close())
  )
  const { beginning, sha256, sizeBytes } = yield* onDisk(`read ${path}`, () => look(file))
  const isThere = yield* Effect.match(storage.verify({ key, sizeBytes, sha256 }), {
    onFailure: () => false,
    onSuccess: () => true
  })
  if (isThere) return { path, sizeBytes, outcome: "there" } as const
  const contentType = shownAs(beginning) ?? "application/octet-stream"
  const grant = yield* storage.grantUpload({ key, sizeBytes, sha256, contentType, expiresIn })
  const bytes = () => file.createReadStream({ start: 0, end: sizeBytes - 1, autoClose: false })
  const status = yield* send(grant, sizeBytes, bytes)
  // The digest is checked by the store alone: reading the file a second time would tell no more.
  if (status === 400) return { path, sizeBytes, outcome: "broken" } as const
  if (status >= 300) return yield* unanswered(`it answers ${status} to the upload of ${path}`)
  return { path, sizeBytes, outcome: "sent" } as const
})

/** What the file says of its bytes, and how they begin. */
const look = async (file: FileHandle) => {
  const { size } = await file.stat()
  const sizeBytes = Math.max(0, size - sealBytes)
  const { buffer: seal } = await file.read(Buffer.alloc(sealBytes), 0, sealBytes, sizeBytes)
  const { buffer: beginning } = await file.read(Buffer.alloc(Math.min(beginningBytes, sizeBytes)), {
    position: 0
  })
  return { sizeBytes, sha256: seal.toString("hex"), beginning }
}

/**
 * Receives the bytes of one file. They go to a temporary file and move to their
 * place in one step when they are complete, checked and on the disk. Until then
 * they are invisible, and a failure leaves nothing behind.
 */
import { createHash, randomUUID } from "node:crypto"
import { mkdir, open, rename, rm, type FileHandle } from "node:fs/promises"
import { join } from "node:path"
import { UploadMismatch } from "@runhook/core/artifacts/ArtifactStorage"
import type { StorageFull } from "@runhook/core/artifacts/HostedFiles"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { onDisk, orFull, orUnavailable } from "./DiskFault.ts"
import { syncFolder } from "./Folders.ts"
import { folderOf, incomingFolder, pathOf, type StorageKey } from "./StorageKey.ts"
import { sealOf, type Announced } from "./StoredFile.ts"

interface Incoming {
  readonly path: string
  readonly file: FileHandle
}

/**
 * Stores exactly the announced bytes under the key, or nothing. Repeated and
 * concurrent calls replace one another.
 */
export const receive = <E>(options: {
  readonly directory: string
  readonly key: StorageKey
  readonly announced: Announced
  readonly bytes: Stream.Stream<Uint8Array, E>
}): Effect.Effect<void, E | StorageFull | UploadMismatch> =>
  Effect.acquireUseRelease(
    create(options.directory),
    (incoming) =>
      Effect.andThen(
        writeChecked(incoming, options),
        // If this were interrupted halfway, the file could be removed while it is being renamed.
        Effect.uninterruptible(keep(incoming, options))
      ),
    discard
  )

const create = (directory: string) => {
  const path = join(incomingFolder(directory), randomUUID())
  return orFull(
    onDisk(`store an artifact in ${directory}`, async (): Promise<Incoming> => ({
      path,
      file: await open(path, "wx")
    }))
  )
}

const writeChecked = Effect.fnUntraced(function* <E>(
  { path, file }: Incoming,
  { announced, bytes }: { readonly announced: Announced; readonly bytes: Stream.Stream<Uint8Array, E> }
) {
  const hash = createHash("sha256")
  let count = 0
  yield* Stream.runForEach(
    bytes,
    Effect.fnUntraced(function* (chunk) {
      count += chunk.byteLength
      // Checked before the chunk is written, so that an endless upload cannot fill the disk.
      if (count > announced.sizeBytes) return yield* new UploadMismatch({ reason: "size_differs" })
      hash.update(chunk)
      yield* orFull(onDisk(`write ${path}`, () => file.appendFile(chunk)))
    })
  )
  if (count < announced.sizeBytes) return yield* new UploadMismatch({ reason: "size_differs" })
  if (hash.digest("hex") !== announced.sha256) return yield* new UploadMismatch({ reason: "sha256_differs" })
})

/** Returns when the file would survive a power cut: it, its folder and the folder above are on the disk. */
const keep = (
  { path, file }: Incoming,
  {
    directory,
    key,
    announced
  }: { readonly directory: string; readonly key: StorageKey; readonly announced: Announced }
) => {
  const folder = folderOf(directory, key)
  return orFull(
    onDisk(`store an artifact in ${directory}`, async () => {
      await file.appendFile(sealOf(announced))
      await file.sync()
      await makeIfMissing(folder)
      await rename(path, pathOf(directory, key))
      await syncFolder(folder)
      await syncFolder(directory)
    })
  )
}

/** A missing folder above is not repaired here, in the middle of an upload whose file went with it. */
const makeIfMissing = (folder: string) =>
  mkdir(folder).catch((cause: unknown) => {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  })

/** After a success the file has moved, and there is nothing to remove. */
const discard = ({ path, file }: Incoming) =>
  orUnavailable(
    onDisk(`remove ${path}`, async () => {
      // Waits for a write in flight.
      await file.close()
      await rm(path, { force: true })
    })
  )

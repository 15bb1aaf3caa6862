/**
 * Keeps the bytes of artifacts in a directory of this machine, and lets the
 * service itself receive and serve them. Several processes may share it.
 */
import { rm } from "node:fs/promises"
import { resolve } from "node:path"
import type { ByteRange } from "@runhook/core/artifacts/ByteRanges"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as DirectoryWatch from "./DirectoryWatch.ts"
import { onDisk, orUnavailable } from "./DiskFault.ts"
import { accept, downloadGrant, issue, uploadGrant, type GrantSettings } from "./FileGrant.ts"
import * as FreeSpace from "./FreeSpace.ts"
import * as StorageDirectory from "./StorageDirectory.ts"
import { pathOf, storageKey } from "./StorageKey.ts"
import { foldersIn, keysIn } from "./StoredNames.ts"
import * as StoredFile from "./StoredFile.ts"
import { LostFiles } from "./StoredFile.ts"
import * as Upload from "./Upload.ts"

export interface Options extends GrantSettings {
  /** Where the files are stored; made if missing. Nothing else should write to it. */
  readonly directory: string
  /** Bytes of its volume that uploads leave free. Default: 0. */
  readonly freeBytesMin?: number
}

/**
 * Both ports over one directory. Fails if the directory cannot be written. A disk
 * that fails later is `StorageUnavailable`, a full one `StorageFull`.
 */
export const layer = (
  options: Options
): Layer.Layer<ArtifactStorage | HostedFiles, StorageDirectory.DirectoryUnusable> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const settings = { ...options, directory: resolve(options.directory) }
      const { directory } = settings
      yield* StorageDirectory.prepare(directory)
      const watch = yield* orUnavailable(DirectoryWatch.make(directory))
      const space = FreeSpace.make({
        directory,
        freeBytes: FreeSpace.freeBytesOf(directory),
        freeBytesMin: settings.freeBytesMin ?? 0
      })
      // So that a volume without room is known before the first upload.
      yield* Effect.ignoreCause(space.hasAny)
      const place: Place = { ...settings, space, watch }
      return Context.make(ArtifactStorage, storageIn(place)).pipe(
        Context.add(HostedFiles, filesIn(place, new LostFiles()))
      )
    })
  )

interface Place extends Options {
  readonly space: FreeSpace.FreeSpace
  readonly watch: DirectoryWatch.DirectoryWatch
}

const storageIn = (place: Place): ArtifactStorage["Service"] => ({
  grantUpload: Effect.fn("DiskArtifacts.grantUpload")(function* ({ contentType, expiresIn, ...upload }) {
    const payload = { key: yield* storageKey(upload.key), sizeBytes: upload.sizeBytes, sha256: upload.sha256 }
    const url = yield* issue(place, uploadGrant, { payload, expiresIn })
    return { method: "PUT", url, headers: { "content-type": contentType } }
  }),

  verify: Effect.fn("DiskArtifacts.verify")(function* ({ key, ...announced }) {
    const path = pathOf(place.directory, yield* storageKey(key))
    yield* Effect.scoped(StoredFile.open(path, announced))
  }, place.watch.within),

  grantDownload: Effect.fn("DiskArtifacts.grantDownload")(function* ({ key, expiresIn, ...file }) {
    const payload = { ...file, key: yield* storageKey(key) }
    return yield* issue(place, downloadGrant, { payload, expiresIn })
  }),

  read: ({ key, range, ...announced }) =>
    Stream.unwrap(
      Effect.map(place.watch.within(storageKey(key)), (valid) =>
        StoredFile.read(pathOf(place.directory, valid), announced, range)
      )
    ),

  remove: Effect.fn("DiskArtifacts.remove")(function* (key) {
    const path = pathOf(place.directory, yield* storageKey(key))
    yield* orUnavailable(onDisk(`remove ${path}`, () => rm(path, { force: true })))
  }, place.watch.within),

  // A page is a folder, one of 4,096.
  list: Effect.fn("DiskArtifacts.list")(
    function* (after) {
      const folders = yield* foldersIn(place.directory)
      const [folder, ...others] = folders.filter((name) => after === null || name > after)
      if (folder === undefined) return { keys: [], next: null }
      return { keys: yield* keysIn(place.directory, folder), next: others.length > 0 ? folder : null }
    },
    orUnavailable,
    place.watch.within
  ),

  check: Effect.gen(function* () {
    const isTaken = yield* place.watch.tryToWrite
    return isTaken && (yield* place.space.hasAny) ? "ready" : "full"
  })
})

const filesIn = (place: Place, lost: LostFiles): HostedFiles["Service"] => ({
  receive: Effect.fn("DiskArtifacts.receive")(
    function* ({ grant, bytes }) {
      const { key, ...announced } = yield* accept(place, uploadGrant, grant)
      yield* place.space.take(announced.sizeBytes)
      yield* Upload.receive({ directory: place.directory, key, announced, bytes })
    },
    Effect.scoped,
    place.watch.writing
  ),

  open: Effect.fn("DiskArtifacts.open")(function* (grant) {
    const { key, ...file } = yield* accept(place, downloadGrant, grant)
    const path = pathOf(place.directory, key)
    yield* Effect.scoped(StoredFile.orMissing(StoredFile.open(path, file))).pipe(
      Effect.tapError(() => lost.tell(path))
    )
    return { ...file, read: (range: ByteRange | null) => StoredFile.read(path, file, range) }
  }, place.watch.within)
})

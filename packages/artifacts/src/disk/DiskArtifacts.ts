/**
 * Keeps the bytes of artifacts in a directory of this machine, and lets the
 * service itself receive and serve them. Several processes may share it.
 */
import { rm } from "node:fs/promises"
import { resolve } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ArtifactStorage } from "@runhook/core/ports/ArtifactStorage"
import { HostedFiles } from "@runhook/core/ports/HostedFiles"
import { onDisk } from "./DiskFault.ts"
import { accept, downloadGrant, issue, uploadGrant, type GrantSettings } from "./FileGrant.ts"
import * as FreeSpace from "./FreeSpace.ts"
import * as StorageDirectory from "./StorageDirectory.ts"
import { pathOf, storageKey } from "./StorageKey.ts"
import * as StoredFile from "./StoredFile.ts"
import * as Upload from "./Upload.ts"

export interface Options extends GrantSettings {
  /** Where the files lie; made when it is not there. Nothing else should write to it. */
  readonly directory: string
  /** Bytes of its volume that uploads leave free. Default: 0. */
  readonly freeBytesMin?: number
}

/**
 * Both ports over one directory. Fails when the directory cannot be written.
 * A disk that fails later, or is full, is a defect whose message says so.
 */
export const layer = (
  options: Options
): Layer.Layer<ArtifactStorage | HostedFiles, StorageDirectory.DirectoryUnusable> =>
  Layer.effectContext(
    Effect.suspend(() => {
      const settings = { ...options, directory: resolve(options.directory) }
      const space = FreeSpace.make({
        directory: settings.directory,
        freeBytes: FreeSpace.freeBytesOf(settings.directory),
        freeBytesMin: settings.freeBytesMin ?? 0
      })
      return Effect.as(
        StorageDirectory.prepare(settings.directory),
        Context.make(ArtifactStorage, storageIn(settings)).pipe(
          Context.add(HostedFiles, filesIn(settings, space))
        )
      )
    })
  )

const storageIn = (options: Options): ArtifactStorage["Service"] => ({
  grantUpload: Effect.fn("DiskArtifacts.grantUpload")(function* ({ contentType, expiresIn, ...upload }) {
    const payload = { key: yield* storageKey(upload.key), sizeBytes: upload.sizeBytes, sha256: upload.sha256 }
    const url = yield* issue(options, uploadGrant, { payload, expiresIn })
    return { method: "PUT", url, headers: { "content-type": contentType } }
  }),

  verify: Effect.fn("DiskArtifacts.verify")(function* ({ key, ...announced }) {
    const path = pathOf(options.directory, yield* storageKey(key))
    yield* Effect.scoped(StoredFile.open(path, announced))
  }),

  grantDownload: Effect.fn("DiskArtifacts.grantDownload")(function* ({ key, expiresIn, ...file }) {
    const payload = { ...file, key: yield* storageKey(key) }
    return yield* issue(options, downloadGrant, { payload, expiresIn })
  }),

  remove: Effect.fn("DiskArtifacts.remove")(function* (key) {
    const path = pathOf(options.directory, yield* storageKey(key))
    yield* Effect.orDie(onDisk(`remove ${path}`, () => rm(path, { force: true })))
  })
})

const filesIn = (options: Options, space: FreeSpace.FreeSpace): HostedFiles["Service"] => ({
  receive: Effect.fn("DiskArtifacts.receive")(function* ({ grant, bytes }) {
    const { key, ...announced } = yield* accept(options, uploadGrant, grant)
    yield* space.take(announced.sizeBytes)
    yield* Upload.receive({ directory: options.directory, key, announced, bytes })
  }, Effect.scoped),

  open: Effect.fn("DiskArtifacts.open")(function* (grant) {
    const { key, ...file } = yield* accept(options, downloadGrant, grant)
    const path = pathOf(options.directory, key)
    yield* Effect.scoped(StoredFile.orMissing(StoredFile.open(path, file)))
    return { ...file, read: (range) => StoredFile.read(path, file, range) }
  })
})

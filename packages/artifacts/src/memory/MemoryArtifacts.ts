/**
 * Keeps the bytes of artifacts in this process, and lets the service itself
 * receive and serve them. What it holds is gone with its scope.
 */
import { createHash } from "node:crypto"
import type { ByteRange } from "@runhook/core/artifacts/ByteRanges"
import { ArtifactStorage, FileMissing, UploadMismatch } from "@runhook/core/artifacts/ArtifactStorage"
import { HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { accept, downloadGrant, type GrantSettings, issue, uploadGrant } from "../disk/FileGrant.ts"
import { storageKey } from "../disk/StorageKey.ts"

/** Both ports over one map. */
export const layer = (settings: GrantSettings): Layer.Layer<ArtifactStorage | HostedFiles> =>
  Layer.effectContext(
    Effect.sync(() => {
      const files: Files = new Map()
      return Context.make(ArtifactStorage, storageIn(files, settings)).pipe(
        Context.add(HostedFiles, filesIn(files, settings))
      )
    })
  )

interface StoredFile {
  readonly bytes: Uint8Array
  readonly sha256: string
}

type Files = Map<string, StoredFile>

interface Announced {
  readonly key: string
  readonly sizeBytes: number
  readonly sha256: string
}

const storageIn = (files: Files, settings: GrantSettings): ArtifactStorage["Service"] => ({
  grantUpload: Effect.fn("MemoryArtifacts.grantUpload")(function* ({ contentType, expiresIn, ...upload }) {
    const payload = { key: yield* storageKey(upload.key), sizeBytes: upload.sizeBytes, sha256: upload.sha256 }
    const url = yield* issue(settings, uploadGrant, { payload, expiresIn })
    return { method: "PUT", url, headers: { "content-type": contentType } }
  }),

  verify: Effect.fn("MemoryArtifacts.verify")(function* (announced) {
    yield* storageKey(announced.key)
    yield* Effect.fromResult(find(files, announced))
  }),

  grantDownload: Effect.fn("MemoryArtifacts.grantDownload")(function* ({ key, expiresIn, ...file }) {
    const payload = { ...file, key: yield* storageKey(key) }
    return yield* issue(settings, downloadGrant, { payload, expiresIn })
  }),

  read: ({ range, ...announced }) =>
    Stream.unwrap(Effect.as(storageKey(announced.key), read(files, announced, range))),

  remove: Effect.fn("MemoryArtifacts.remove")(function* (key) {
    files.delete(yield* storageKey(key))
  }),

  list: () => Effect.sync(() => ({ keys: [...files.keys()], next: null })),

  check: Effect.succeed("ready")
})

const filesIn = (files: Files, settings: GrantSettings): HostedFiles["Service"] => ({
  receive: Effect.fn("MemoryArtifacts.receive")(function* ({ grant, bytes: incoming }) {
    const { key, sha256, sizeBytes } = yield* accept(settings, uploadGrant, grant)
    const chunks: Array<Uint8Array> = []
    let count = 0
    yield* Stream.runForEach(
      incoming,
      Effect.fnUntraced(function* (chunk) {
        count += chunk.byteLength
        // Decided before the chunk is kept, so that an endless upload cannot fill the memory.
        if (count > sizeBytes) return yield* new UploadMismatch({ reason: "size_differs" })
        chunks.push(chunk)
      })
    )
    const bytes = Buffer.concat(chunks)
    const file = { bytes, sha256: createHash("sha256").update(bytes).digest("hex") }
    yield* Effect.fromResult(asAnnounced(file, { sizeBytes, sha256 }))
    files.set(key, file)
  }),

  open: Effect.fn("MemoryArtifacts.open")(function* (grant) {
    const { key, ...file } = yield* accept(settings, downloadGrant, grant)
    const announced = { key, sizeBytes: file.sizeBytes, sha256: file.sha256 }
    yield* orMissing(find(files, announced))
    return { ...file, read: (range: ByteRange | null) => read(files, announced, range) }
  })
})

const find = (files: Files, { key, ...announced }: Announced) => asAnnounced(files.get(key), announced)

/** The bytes, if they are the announced ones. */
const asAnnounced = (
  file: StoredFile | undefined,
  { sha256, sizeBytes }: Omit<Announced, "key">
): Result.Result<Uint8Array, UploadMismatch> => {
  if (file === undefined) return Result.fail(new UploadMismatch({ reason: "not_uploaded" }))
  if (file.bytes.length !== sizeBytes) return Result.fail(new UploadMismatch({ reason: "size_differs" }))
  if (file.sha256 !== sha256) return Result.fail(new UploadMismatch({ reason: "sha256_differs" }))
  return Result.succeed(file.bytes)
}

/** Looked up when they are read, since they may have been removed since. */
const read = (files: Files, announced: Announced, range: ByteRange | null) =>
  Stream.unwrap(
    Effect.map(
      Effect.suspend(() => orMissing(find(files, announced))),
      (bytes) => Stream.make(range === null ? bytes : bytes.subarray(range.start, range.end + 1))
    )
  )

/** To who holds a URL it is all the same why the bytes are not there. */
const orMissing = (found: Result.Result<Uint8Array, UploadMismatch>) =>
  Effect.fromResult(Result.mapError(found, () => new FileMissing()))

/** The bytes of artifacts, in a folder or a bucket, as a backup copies them: never a part of a file, nor a changed one. */
import { createHash } from "node:crypto"
import { resolve } from "node:path"
import { onDisk, orUnavailable } from "@runhook/artifacts/disk/DiskFault"
import { makeFolder } from "@runhook/artifacts/disk/Folders"
import { incomingFolder, pathOf, storageKey } from "@runhook/artifacts/disk/StorageKey"
import * as Disk from "@runhook/artifacts/disk/StoredFile"
import { receive } from "@runhook/artifacts/disk/Upload"
import { type Bucket, nameOf } from "@runhook/artifacts/s3/Bucket"
import * as S3Artifacts from "@runhook/artifacts/s3/S3Artifacts"
import { expiresIn, send, unanswered } from "@runhook/artifacts/s3/Sending"
import { ArtifactStorage, FileMissing, UploadMismatch } from "@runhook/core/artifacts/ArtifactStorage"
import { isStorageFull, type StorageFull } from "@runhook/core/artifacts/HostedFiles"
import { isStorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import type { StoredFile } from "@runhook/store-pg/backup/Snapshot"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { artifactsDirOf, bucketOf } from "../settings/ArtifactsKept.ts"

type Bytes = Stream.Stream<Uint8Array, FileMissing>

export interface StoredFiles {
  /** The folder or bucket, for operators. */
  readonly place: string
  /** For operators. */
  readonly pathOf: (file: StoredFile) => string
  readonly has: (file: StoredFile) => Effect.Effect<boolean>
  readonly read: (file: StoredFile) => Bytes
  readonly store: (
    file: StoredFile,
    bytes: Bytes
  ) => Effect.Effect<void, FileMissing | StorageFull | UploadMismatch>
}

export const inFolder = (directory: string): StoredFiles => {
  const path = ({ key }: StoredFile) => Effect.map(storageKey(key), (valid) => pathOf(directory, valid))
  return {
    place: resolve(directory),
    pathOf: (file) => Effect.runSync(path(file)),
    has: (file) =>
      path(file).pipe(
        Effect.flatMap((where) => Disk.open(where, file)),
        Effect.scoped,
        Effect.match({ onFailure: () => false, onSuccess: () => true })
      ),
    read: (file) => Stream.unwrap(Effect.map(path(file), (where) => Disk.read(where, file, null))),
    store: Effect.fnUntraced(function* (announced, bytes) {
      const incoming = incomingFolder(directory)
      yield* orUnavailable(onDisk(`make ${incoming}`, () => makeFolder(incoming)))
      yield* receive({ directory, key: yield* storageKey(announced.key), announced, bytes })
    })
  }
}

export const inBucket = Effect.fnUntraced(function* (bucket: Bucket) {
  const storage = Context.get(yield* Layer.build(S3Artifacts.layer({ bucket })), ArtifactStorage)
  const files: StoredFiles = {
    place: nameOf(bucket),
    pathOf: ({ key }) => `${nameOf(bucket)}/${key}`,
    has: (file) => Effect.match(storage.verify(file), { onFailure: () => false, onSuccess: () => true }),
    read: (file) => storage.read({ ...file, range: null }),
    store: Effect.fnUntraced(function* (file, bytes) {
      const grant = yield* storage.grantUpload({ ...file, expiresIn })
      const status = yield* send(grant, file.sizeBytes, () => Stream.toAsyncIterable(bytes))
      if (status === 400) return yield* new UploadMismatch({ reason: "sha256_differs" })
      if (status >= 300) return yield* unanswered(`${nameOf(bucket)} answers ${status} to an upload`)
    })
  }
  return files
})

/** Those of the service of the settings. */
export const ownFiles = (given: Given): Effect.Effect<StoredFiles, never, Scope.Scope> => {
  const bucket = bucketOf(given)
  return bucket === null ? Effect.succeed(inFolder(artifactsDirOf(given))) : inBucket(bucket)
}

/** Reads every byte and keeps none. */
export const nowhere: StoredFiles = {
  place: "",
  pathOf: () => "",
  has: () => Effect.succeed(false),
  read: () => Stream.fail(new FileMissing()),
  store: Effect.fnUntraced(function* ({ sha256 }, bytes) {
    const hash = createHash("sha256")
    yield* Stream.runForEach(bytes, (chunk) => Effect.sync(() => hash.update(chunk)))
    if (hash.digest("hex") !== sha256) return yield* new UploadMismatch({ reason: "sha256_differs" })
  })
}

export interface Copied {
  readonly file: StoredFile
  /** `there`: it was before. `missing`: the source does not have it. `changed`: its bytes are not what they were. */
  readonly outcome: "changed" | "copied" | "missing" | "there"
}

/** Files that are under way at once. */
const concurrency = 8

/** Copies what is not there yet. */
export const copy = (from: StoredFiles, to: StoredFiles) => (file: StoredFile) =>
  Effect.gen(function* () {
    if (yield* to.has(file)) return "there"
    yield* to.store(file, from.read(file))
    return "copied"
  }).pipe(
    Effect.catchTags({
      FileMissing: () => Effect.succeed("missing" as const),
      UploadMismatch: () => Effect.succeed("changed" as const)
    }),
    Effect.map((outcome): Copied => ({ file, outcome })),
    Effect.catchDefect((defect) =>
      isStorageUnavailable(defect) || isStorageFull(defect) ? Effect.fail(defect) : Effect.die(defect)
    ),
    Effect.mapError(({ message }) => new CommandFailed({ reason: `${to.pathOf(file)}: ${message}` }))
  )

export const copyAll = <E>(
  files: Stream.Stream<StoredFile, E>,
  { from, to }: { readonly from: StoredFiles; readonly to: StoredFiles }
) => Stream.mapEffect(files, copy(from, to), { concurrency, unordered: true })

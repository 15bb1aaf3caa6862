/** Where backups are kept: a folder, or a bucket of S3. */
import { createHash } from "node:crypto"
import { readdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { type DiskFault, onDisk, orNull } from "@runhook/artifacts/disk/DiskFault"
import { makeFolder, syncFolder } from "@runhook/artifacts/disk/Folders"
import { type Bucket, encryptionHeaders, listUrlOf, nameOf } from "@runhook/artifacts/s3/Bucket"
import type { BucketFault } from "@runhook/artifacts/s3/BucketFault"
import * as BucketRequests from "@runhook/artifacts/s3/BucketRequests"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { Given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { bucketOf } from "../settings/ArtifactsKept.ts"
import { bucketUrl } from "../settings/SettingText.ts"
import { inBucket, inFolder, type StoredFiles } from "./StoredFiles.ts"

/**
 * All backups of a service, which share the files of artifacts:
 *
 *     manifests/<time>.json       one for each complete backup
 *     rows/<time>/<table>.<n>.gz  its rows
 *     artifacts/                  files, as the service keeps them
 */
export interface BackupPlace {
  readonly name: string
  readonly put: (path: string, bytes: Uint8Array) => Effect.Effect<void, CommandFailed>
  readonly get: (path: string) => Effect.Effect<Uint8Array, CommandFailed>
  /** The names of the files in a folder. */
  readonly list: (folder: string) => Effect.Effect<ReadonlyArray<string>, CommandFailed>
  readonly artifacts: StoredFiles
}

/** The place that a person names. */
export const placeOf = (
  text: string,
  given: Given
): Effect.Effect<BackupPlace, CommandFailed, Scope.Scope> => {
  if (!text.startsWith("s3://")) return Effect.succeed(folder(resolve(text)))
  const artifactsUrl = bucketUrl(text)
  if (Result.isFailure(artifactsUrl)) return new CommandFailed({ reason: `${text} ${artifactsUrl.failure}` })
  const bucket = bucketOf({ ...given, artifactsUrl: artifactsUrl.success })
  return bucket === null
    ? new CommandFailed({ reason: "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must open the bucket" })
    : inS3(bucket)
}

const failed = ({ message }: BucketFault | DiskFault) => new CommandFailed({ reason: message })

const folder = (directory: string): BackupPlace => ({
  name: directory,
  put: (path, bytes) => {
    const file = join(directory, path)
    return onDisk(`write ${file}`, async () => {
      await makeFolder(dirname(file))
      await writeFile(`${file}.unfinished`, bytes, { mode: 0o600, flush: true })
      await rename(`${file}.unfinished`, file)
      await syncFolder(dirname(file))
    }).pipe(Effect.mapError(failed))
  },
  get: (path) => {
    const file = join(directory, path)
    return Effect.mapError(
      onDisk(`read ${file}`, () => readFile(file)),
      failed
    )
  },
  list: (name) => {
    const path = join(directory, name)
    return orNull(onDisk(`list ${path}`, () => readdir(path))).pipe(
      Effect.map((names) => names ?? []),
      Effect.mapError(failed)
    )
  },
  artifacts: inFolder(join(directory, "artifacts"))
})

const within = (bucket: Bucket, prefix: string): Bucket => ({
  ...bucket,
  prefix: [bucket.prefix, prefix].filter((part) => part !== "").join("/")
})

const inS3 = Effect.fnUntraced(function* (bucket: Bucket) {
  const requests = yield* BucketRequests.make({ bucket, lookup: undefined })
  const send = (request: BucketRequests.BucketRequest) => Effect.mapError(requests.send(request), failed)
  const place: BackupPlace = {
    name: nameOf(bucket),
    put: (key, body) => {
      const sha256 = createHash("sha256").update(body).digest("base64")
      const headers = { "x-amz-checksum-sha256": sha256, ...encryptionHeaders(bucket) }
      return Effect.asVoid(send({ method: "PUT", key, headers, body }))
    },
    get: Effect.fnUntraced(function* (key) {
      const pieces: Array<Uint8Array> = []
      for (let [start, total] = [0, 1]; start < total; start += BucketRequests.answerBytesMax) {
        const range = `bytes=${start}-${start + BucketRequests.answerBytesMax - 1}`
        const { bytes, headers, status } = yield* send({ method: "GET", key, headers: { range } })
        if (status !== 206) return yield* new CommandFailed({ reason: `${nameOf(bucket)}/${key} is missing` })
        total = Number(/\/(\d+)$/.exec(String(headers["content-range"]))?.[1])
        pieces.push(bytes)
      }
      return Buffer.concat(pieces)
    }),
    list: Effect.fnUntraced(function* (name) {
      const names: Array<string> = []
      const listed = within(bucket, name)
      for (let isMore = true, after: string | null = null; isMore;) {
        const { bytes } = yield* send({ method: "GET", key: "", url: listUrlOf(listed, after) })
        const xml = new TextDecoder().decode(bytes)
        const keys = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key)
        names.push(...keys.map((key) => key.slice(listed.prefix.length + 1)))
        after = keys.at(-1) ?? null
        isMore = after !== null && xml.includes("<IsTruncated>true<")
      }
      return names
    }),
    artifacts: yield* inBucket(within(bucket, "artifacts"))
  }
  return place
})

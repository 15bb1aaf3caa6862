/**
 * Keeps the bytes of artifacts in a bucket of a store that speaks S3. Runners and
 * callers send and load them there, by URLs that the service signs.
 */
import type { LookupFunction } from "node:net"
import type { ByteRange } from "@runhook/core/artifacts/ByteRanges"
import { contentDisposition } from "@runhook/core/artifacts/ContentDisposition"
import { shownType } from "@runhook/core/artifacts/ShownMediaType"
import {
  ArtifactStorage,
  FileMissing,
  type StoredKeys,
  UploadMismatch
} from "@runhook/core/artifacts/ArtifactStorage"
import { GrantRefused, HostedFiles, StorageFull } from "@runhook/core/artifacts/HostedFiles"
import { StorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { StorageKey, storageKey } from "../disk/StorageKey.ts"
import { type Bucket, encryptionHeaders, listUrlOf, nameOf, urlOf } from "./Bucket.ts"
import { unchecked } from "./BucketFault.ts"
import * as BucketRequests from "./BucketRequests.ts"
import * as BucketWatch from "./BucketWatch.ts"
import { signedUrl } from "./Signature.ts"

export interface Options {
  readonly bucket: Bucket
  /** How the store's name is resolved. Default: as the system does. */
  readonly lookup?: LookupFunction
}

interface Announced {
  readonly key: string
  readonly sizeBytes: number
  readonly sha256: string
}

/** The object that trials write. */
const trialKey = "runhook-trial"
const trialBytes = new Uint8Array()
const trialSha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

export const layer = ({ bucket, lookup }: Options): Layer.Layer<ArtifactStorage | HostedFiles> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const requests = yield* BucketRequests.make({ bucket, lookup })

      const tryToWrite = Effect.gen(function* () {
        const headers = { ...digestOf(trialSha256), ...encryptionHeaders(bucket) }
        const { headers: answered } = yield* requests.send({
          method: "PUT",
          key: trialKey,
          headers,
          body: trialBytes
        })
        // Stores that know of digests answer the one they have checked.
        if (answered[digestHeader] === undefined) return yield* unchecked
      })
      const watch = yield* BucketWatch.make(nameOf(bucket), tryToWrite)
      // What is wrong shows at the start, and keeps nothing else from starting.
      yield* Effect.forkScoped(Effect.ignoreCause(watch.check))

      const verified = Effect.fnUntraced(
        function* ({ key, sha256, sizeBytes }: Announced) {
          const { headers, status } = yield* requests.send({
            method: "HEAD",
            key: yield* storageKey(key),
            headers: { "x-amz-checksum-mode": "ENABLED" }
          })
          if (status === 404) {
            // Or the bucket is missing, which this answer does not tell apart.
            yield* watch.check
            return yield* new UploadMismatch({ reason: "not_uploaded" })
          }
          if (Number(headers["content-length"]) !== sizeBytes) {
            return yield* new UploadMismatch({ reason: "size_differs" })
          }
          if (headers[digestHeader] !== digestOf(sha256)[digestHeader]) {
            return yield* new UploadMismatch({ reason: "sha256_differs" })
          }
        },
        Effect.catchTag("BucketFault", watch.away)
      )

      const pieceOf = Effect.fnUntraced(
        function* (key: string, { end, start }: ByteRange) {
          const { bytes, status } = yield* requests.send({
            method: "GET",
            key,
            headers: { range: `bytes=${start}-${end}` }
          })
          // It was there a moment ago, and in full.
          return status === 206 ? bytes.subarray(0, end + 1 - start) : yield* new FileMissing()
        },
        Effect.catchTag("BucketFault", watch.away)
      )

      const pieces = (announced: Announced, range: ByteRange | null) => {
        const { start, end } = range ?? { start: 0, end: announced.sizeBytes - 1 }
        return Stream.unfold(
          start,
          Effect.fnUntraced(function* (position) {
            if (position > end) return undefined
            const last = Math.min(position + BucketRequests.answerBytesMax - 1, end)
            const bytes = yield* pieceOf(announced.key, { start: position, end: last })
            return [bytes, last + 1] as const
          })
        )
      }

      const storage = ArtifactStorage.of({
        grantUpload: Effect.fn("S3Artifacts.grantUpload")(function* ({ contentType, expiresIn, ...upload }) {
          if ((yield* watch.check) === "full") return yield* Effect.die(new StorageFull())
          const headers = {
            // Shown by the store, a type that somebody claims could run scripts in its name.
            "content-type": shownType(contentType) ?? "application/octet-stream",
            ...digestOf(upload.sha256),
            ...encryptionHeaders(bucket)
          }
          const url = urlOf(bucket, yield* storageKey(upload.key))
          // The length is signed too, and every client sends it by itself.
          const signed = { ...headers, "content-length": String(upload.sizeBytes) }
          const request = { method: "PUT", url, headers: signed, at: yield* DateTime.now, expiresIn } as const
          return { method: "PUT", url: yield* Effect.promise(() => signedUrl(bucket, request)), headers }
        }),

        verify: Effect.fn("S3Artifacts.verify")(verified),

        grantDownload: Effect.fn("S3Artifacts.grantDownload")(function* ({
          disposition,
          expiresIn,
          fileName,
          key
        }) {
          yield* watch.check
          const url = urlOf(bucket, yield* storageKey(key))
          url.searchParams.set("response-cache-control", "private, no-cache")
          url.searchParams.set("response-content-disposition", contentDisposition(disposition, fileName))
          const request = { method: "GET", url, headers: {}, at: yield* DateTime.now, expiresIn } as const
          return yield* Effect.promise(() => signedUrl(bucket, request))
        }),

        read: ({ range, ...announced }) =>
          Stream.unwrap(
            verified(announced).pipe(
              Effect.mapError(() => new FileMissing()),
              Effect.as(pieces(announced, range))
            )
          ),

        remove: Effect.fn("S3Artifacts.remove")(
          function* (key) {
            yield* requests.send({ method: "DELETE", key: yield* storageKey(key) })
          },
          Effect.catchTag("BucketFault", watch.away)
        ),

        // A bucket that may be used and not listed is no fault for those who upload and download.
        list: Effect.fn("S3Artifacts.list")(
          function* (after) {
            const { bytes } = yield* requests.send({ method: "GET", key: "", url: listUrlOf(bucket, after) })
            const page = keysIn(bucket, new TextDecoder().decode(bytes))
            // A store that does not know where to go on begins at the start each time.
            return page.next !== null && page.next === after ? { keys: [], next: null } : page
          },
          Effect.catchTag("BucketFault", ({ reason }) => Effect.die(new StorageUnavailable({ reason })))
        ),

        check: watch.check
      })
      return Context.make(ArtifactStorage, storage).pipe(Context.add(HostedFiles, none))
    })
  )

/** URLs of files that the service itself kept before are not valid any more. */
const none = HostedFiles.of({
  receive: () => Effect.fail(new GrantRefused()),
  open: () => Effect.fail(new GrantRefused())
})

const digestHeader = "x-amz-checksum-sha256"

/** Lets the store check the bytes, and keep their digest. */
const digestOf = (sha256: string) => ({ [digestHeader]: Buffer.from(sha256, "hex").toString("base64") })

const isKey = Schema.is(StorageKey)

/** What a store says of a page, in XML, where keys have no characters that XML writes otherwise. */
const keysIn = ({ prefix }: Bucket, xml: string): StoredKeys => {
  const names = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = ""]) => name)
  const beginning = prefix === "" ? "" : `${prefix}/`
  return {
    keys: names
      .flatMap((name) => (name.startsWith(beginning) ? [name.slice(beginning.length)] : []))
      .filter(isKey),
    next: xml.includes("<IsTruncated>true<") ? (names.at(-1)?.replaceAll("&amp;", "&") ?? null) : null
  }
}

/** A real folder for a test, with a space in its path, and what the tests of this package share. */
import { createHash, createSecretKey, randomUUID } from "node:crypto"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ArtifactStorage, type UploadGrant } from "@runhook/core/artifacts/ArtifactStorage"
import { HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import { testOn } from "@runhook/test-support/TestOn"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as DiskArtifacts from "../../src/disk/DiskArtifacts.ts"

export const baseUrl = "https://runhook.example.com/api"
export const expiresIn = Duration.minutes(5)

export const settings = { baseUrl, grantKey: createSecretKey(Buffer.alloc(32, 7)) }

export class Directory extends Context.Service<Directory, string>()("@runhook/artifacts/test/Directory") {}

export const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "runhook artifacts "))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true }))
)

/** Storage in a folder of its own that is gone afterwards. */
export const layer = Layer.provideMerge(
  Layer.unwrap(Effect.map(Directory, (directory) => DiskArtifacts.layer({ ...settings, directory }))),
  Layer.effect(Directory, temporaryDirectory)
)

export const test = testOn(layer)

export const makeKey = () => `${randomUUID()}/${randomUUID()}/${randomUUID()}`

export const announce = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex")
})

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Bytes that are different everywhere, so that a wrong range shows. */
export const manyBytes = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) % 251)

export const tokenIn = (url: string): string => new URL(url).searchParams.get("grant") ?? ""

/** A token to upload these bytes, or what else is announced, under the key. */
export const uploadToken = Effect.fnUntraced(function* (key: string, announced: ReturnType<typeof announce>) {
  const storage = yield* ArtifactStorage
  const grant = yield* storage.grantUpload({ key, ...announced, contentType: "text/plain", expiresIn })
  return tokenIn(grant.url)
})

/** A token to download the file under the key. */
export const downloadToken = Effect.fnUntraced(function* (
  key: string,
  announced: ReturnType<typeof announce>
) {
  const storage = yield* ArtifactStorage
  const named = { fileName: "a.txt", disposition: "attachment" } as const
  return tokenIn(yield* storage.grantDownload({ key, ...announced, ...named, expiresIn }))
})

/** Sends the bytes in pieces, as a network would. */
export const upload = Effect.fnUntraced(function* (
  key: string,
  bytes: Uint8Array,
  announced = announce(bytes)
) {
  const grant = yield* uploadToken(key, announced)
  yield* (yield* HostedFiles).receive({ grant, bytes: inPieces(bytes) })
})

export const inPieces = (bytes: Uint8Array, pieceBytes = 10_000): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
      bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes)
    )
  )

/** Every file in the storage directory. */
export const filesOnDisk = Effect.gen(function* () {
  const directory = yield* Directory
  const entries = yield* Effect.promise(() => readdir(directory, { recursive: true, withFileTypes: true }))
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
})

export const collect = Effect.fnUntraced(function* <E>(bytes: Stream.Stream<Uint8Array, E>) {
  return new Uint8Array(Buffer.concat(yield* Stream.runCollect(bytes)))
})

/** As runners and browsers send and load, for the suite that every storage passes. */
export const transfers = {
  send: Effect.fnUntraced(function* ({ url }: UploadGrant, bytes: Uint8Array) {
    yield* (yield* HostedFiles).receive({ grant: tokenIn(url), bytes: inPieces(bytes) })
  }),
  load: Effect.fnUntraced(function* (url: string) {
    const file = yield* (yield* HostedFiles).open(tokenIn(url))
    return yield* collect(file.read(null))
  })
}

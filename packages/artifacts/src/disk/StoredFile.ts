/**
 * A file on disk: the bytes of an artifact, then the 32 bytes of their SHA-256. The
 * digest is written after the bytes were checked, and moves with them, so size and
 * digest tell whether the right bytes are there.
 */
import { open as openFile, type FileHandle } from "node:fs/promises"
import type { ByteRange } from "@runhook/core/artifacts/ByteRanges"
import { UploadMismatch } from "@runhook/core/artifacts/ArtifactStorage"
import { FileMissing } from "@runhook/core/artifacts/ArtifactStorage"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { onDisk, orNull, orUnavailable } from "./DiskFault.ts"

/** What is known of a file's bytes before they are read. */
export interface Announced {
  readonly sizeBytes: number
  /** 64 lower-case hex digits. */
  readonly sha256: string
}

/** The bytes after those of the artifact. */
export const sealOf = ({ sha256 }: Announced): Uint8Array => Buffer.from(sha256, "hex")

/** How many they are. */
export const sealBytes = 32

/** Bytes read at once: the memory that one download takes. */
const chunkBytes = 65_536

/** Opens the file until the scope closes, if it holds the announced bytes. */
export const open = Effect.fnUntraced(function* (path: string, announced: Announced) {
  const file = yield* Effect.acquireRelease(openIfThere(path), (each) =>
    Effect.promise(async () => each?.close())
  )
  if (file === null) return yield* new UploadMismatch({ reason: "not_uploaded" })

  const { size } = yield* orUnavailable(onDisk(`look at ${path}`, () => file.stat()))
  if (size !== announced.sizeBytes + sealBytes) return yield* new UploadMismatch({ reason: "size_differs" })

  const seal = yield* readAt(file, path, { start: announced.sizeBytes, length: sealBytes })
  if (!seal.equals(sealOf(announced))) return yield* new UploadMismatch({ reason: "sha256_differs" })
  return file
})

/** Streams the announced bytes, or a part of them. */
export const read = (
  path: string,
  announced: Announced,
  range: ByteRange | null
): Stream.Stream<Uint8Array, FileMissing> => {
  const { start, end } = range ?? { start: 0, end: announced.sizeBytes - 1 }
  return Stream.unwrap(
    Effect.map(orMissing(open(path, announced)), (file) =>
      Stream.unfold(
        start,
        Effect.fnUntraced(function* (position) {
          const length = Math.min(chunkBytes, end + 1 - position)
          if (length <= 0) return undefined
          const bytes = yield* readAt(file, path, { start: position, length })
          // Stored files are never written again, so only someone else can have cut this one.
          if (bytes.length === 0) return yield* new FileMissing()
          return [bytes, position + bytes.length] as const
        })
      )
    )
  )
}

/** For the holder of a URL it makes no difference why the bytes are missing. */
export const orMissing = <A, R>(
  work: Effect.Effect<A, UploadMismatch, R>
): Effect.Effect<A, FileMissing, R> => Effect.mapError(work, () => new FileMissing())

const openIfThere = (path: string) => orUnavailable(orNull(onDisk(`open ${path}`, () => openFile(path))))

/** At most `length` bytes from `start`; none past the end of the file. */
const readAt = (
  file: FileHandle,
  path: string,
  { start, length }: { readonly start: number; readonly length: number }
) =>
  orUnavailable(
    onDisk(`read ${path}`, async () => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    })
  )

/** Files whose loss is remembered; beyond that, the one reported first is reported again. */
const rememberedMax = 1_000

/** Files that were stored and are gone: each is reported once, however often it is asked for. */
export class LostFiles {
  readonly #told = new Set<string>()

  tell(path: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#told.has(path)) return Effect.void
      const [first] = this.#told
      if (first !== undefined && this.#told.size >= rememberedMax) this.#told.delete(first)
      this.#told.add(path)
      return Effect.logError(`A stored file is lost or was changed: ${path}. Restore it from a backup`)
    })
  }
}

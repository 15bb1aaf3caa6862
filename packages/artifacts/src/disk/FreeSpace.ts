/** Keeps a part of the volume free for everything else on it. */
import { statfs } from "node:fs/promises"
import { StorageFull } from "@runhook/core/artifacts/HostedFiles"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { onDisk, orUnavailable } from "./DiskFault.ts"

export interface FreeSpace {
  /** Reserves room for so many bytes until the scope ends: by then they are on the volume, or none are. */
  take(sizeBytes: number): Effect.Effect<void, StorageFull, Scope.Scope>
  /** Whether there is room for anything. The operator is told if there is not. */
  readonly hasAny: Effect.Effect<boolean>
}

export interface Options {
  /** Bytes that stay free. */
  readonly freeBytesMin: number
  readonly freeBytes: Effect.Effect<number>
  /** The path, for the operator. */
  readonly directory: string
}

export const make = ({ directory, freeBytes, freeBytesMin }: Options): FreeSpace => {
  // Some of the reserved bytes may already be on the volume: counting them twice is on the safe side.
  let taken = 0
  let isFull = false

  const tell = (isFullNow: boolean) => {
    if (isFull === isFullNow) return Effect.void
    isFull = isFullNow
    return isFull
      ? Effect.logError(
          `Uploads are refused: less than ${freeBytesMin} bytes would stay free in ${directory}: free space there, or set RUNHOOK_ARTIFACTS_FREE_SPACE to less`
        )
      : Effect.logInfo(`Uploads are taken again: there is room in ${directory}`)
  }

  const reserve = Effect.fnUntraced(function* (sizeBytes: number) {
    const free = yield* freeBytes
    const hasRoom = free - taken - sizeBytes >= freeBytesMin
    if (hasRoom) taken += sizeBytes
    yield* tell(!hasRoom)
    if (!hasRoom) return yield* new StorageFull()
  })

  return {
    // That there is room for a byte does not say that there is for the next upload.
    hasAny: Effect.tap(
      Effect.map(freeBytes, (free) => free - taken > freeBytesMin),
      (hasAny) => (hasAny ? Effect.void : tell(true))
    ),
    take: (sizeBytes) =>
      Effect.acquireRelease(reserve(sizeBytes), () =>
        Effect.sync(() => {
          taken -= sizeBytes
        })
      )
  }
}

/** Bytes of the directory's volume that the service may use. */
export const freeBytesOf = (directory: string): Effect.Effect<number> =>
  orUnavailable(
    onDisk(`look at the free space of ${directory}`, async () => {
      const { bavail, bsize, ffree, files } = await statfs(directory)
      // Without room for another file there is none for its bytes. Some file systems do not count files.
      return files > 0 && ffree === 0 ? 0 : bavail * bsize
    })
  )

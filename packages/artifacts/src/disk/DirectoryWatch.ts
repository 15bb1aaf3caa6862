/**
 * Watches the directory while the service runs. If it is removed, it is made again.
 * Without its volume, or without the right to write, it is not used, and the
 * operator is told once.
 */
import { randomUUID } from "node:crypto"
import { rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isStorageUnavailable, type StorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { DiskFault, isFull, onDisk, orNull, orUnavailable } from "./DiskFault.ts"
import { makeFolder } from "./Folders.ts"
import { incomingFolder } from "./StorageKey.ts"

export interface DirectoryWatch {
  /** Works on the directory, if it is there. */
  within<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /** The same for writing work; its success shows that all is well. */
  writing<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /** Writes a byte and removes it again. Answers whether there was room for it. */
  readonly tryToWrite: Effect.Effect<boolean>
}

/** For a directory that was prepared. */
export const make = Effect.fnUntraced(function* (directory: string) {
  const incoming = incomingFolder(directory)
  let device = yield* deviceOf(incoming)
  let isAway = false

  const tellAway = ({ reason }: StorageUnavailable) => {
    if (isAway) return Effect.void
    isAway = true
    return Effect.logError(`Files are neither taken nor given until this is mended: ${reason}`)
  }
  const tellBack = Effect.suspend(() => {
    if (!isAway) return Effect.void
    isAway = false
    return Effect.logInfo(`Files are taken and given again in ${directory}`)
  })

  /** Files on another volume, or in the folder below an unmounted one, would be lost. */
  const makeAgain = Effect.gen(function* () {
    if ((yield* deviceAbove(incoming)) !== device) {
      return yield* new DiskFault({ attempt: `use ${directory}`, cause: new VolumeGone() })
    }
    if (!(yield* onDisk(`make ${incoming}`, () => makeFolder(incoming)))) return
    yield* Effect.logWarning(
      `${directory} was gone and is made again: what it held is lost unless you put it back`
    )
  })

  const present = Effect.gen(function* () {
    const found = yield* orNull(onDisk(`look at ${incoming}`, () => stat(incoming)))
    if (found === null) yield* makeAgain
    // The same volume may come back under another number.
    else device = found.dev
  })

  const within = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.andThen(orUnavailable(present), work).pipe(
      Effect.tapCause((cause) => Effect.forEach(absencesIn(cause), tellAway, { discard: true }))
    )

  const tryToWrite = Effect.gen(function* () {
    const path = join(incoming, randomUUID())
    const hasRoom = yield* onDisk(`write to ${directory}`, () => writeFile(path, "1", { flag: "wx" })).pipe(
      Effect.as(true),
      Effect.catchIf(isFull, () => Effect.succeed(false)),
      Effect.ensuring(Effect.ignore(onDisk(`remove ${path}`, () => rm(path, { force: true })))),
      orUnavailable
    )
    return hasRoom
  })

  const writing = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.tap(within(work), () => tellBack)
  const watch: DirectoryWatch = { within, writing, tryToWrite: writing(tryToWrite) }
  return watch
})

class VolumeGone extends Error {
  readonly code = "ENODEV"
}

const deviceOf = (path: string) =>
  Effect.map(
    onDisk(`look at ${path}`, () => stat(path)),
    ({ dev }) => dev
  )

/** The device of the nearest existing folder above. */
const deviceAbove = (path: string): Effect.Effect<number, DiskFault> =>
  Effect.flatMap(orNull(deviceOf(dirname(path))), (device) =>
    device === null ? deviceAbove(dirname(path)) : Effect.succeed(device)
  )

const absencesIn = (cause: Cause.Cause<unknown>): ReadonlyArray<StorageUnavailable> =>
  cause.reasons.flatMap((reason) =>
    Cause.isDieReason(reason) && isStorageUnavailable(reason.defect) ? [reason.defect] : []
  )

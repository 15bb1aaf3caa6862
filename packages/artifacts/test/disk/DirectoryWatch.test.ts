import { readdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { HostedFiles, StorageFull } from "@runhook/core/artifacts/HostedFiles"
import { isStorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import { DiskFault, orFull } from "../../src/disk/DiskFault.ts"
import * as Storage from "./TemporaryStorage.ts"
import { test } from "./TemporaryStorage.ts"

const bytes = Storage.manyBytes(100_000)
const announced = Storage.announce(bytes)

const makeStoredFile = Effect.fnUntraced(function* () {
  const key = Storage.makeKey()
  yield* Storage.upload(key, bytes)
  return { key, token: yield* Storage.downloadToken(key, announced) }
})

const open = (token: string) => Effect.flatMap(HostedFiles, (files) => files.open(token))
const check = Effect.flatMap(ArtifactStorage, (storage) => storage.check)
const isAway = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && isStorageUnavailable(Cause.squash(exit.cause))

/** What the operator reads, and a storage with that log. */
const makeLog = () => {
  const lines: Array<string> = []
  const written = Logger.make<unknown, void>(({ logLevel, message }) => {
    lines.push(`${logLevel}: ${String(message)}`)
  })
  return { lines, storage: Layer.provideMerge(Storage.layer, Logger.layer([written])) }
}

describe("a directory of artifacts", () => {
  test("is made again when it was removed, also under an upload, which may be repeated", function* () {
    const [{ key }, directory, files] = [
      yield* makeStoredFile(),
      yield* Storage.Directory,
      yield* HostedFiles
    ]
    const [halfWay, gone] = [yield* Latch.make(), yield* Latch.make()]
    const other = Storage.makeKey()
    const underWay = yield* files
      .receive({
        grant: yield* Storage.uploadToken(other, announced),
        bytes: Stream.make(bytes.subarray(0, 1_000)).pipe(
          Stream.concat(Stream.fromEffectDrain(Effect.andThen(halfWay.open, gone.await))),
          Stream.concat(Stream.make(bytes.subarray(1_000)))
        )
      })
      .pipe(Effect.forkChild({ startImmediately: true }))
    yield* halfWay.await
    yield* Effect.promise(() => rm(directory, { recursive: true }))

    yield* Storage.upload(key, bytes)
    yield* gone.open
    const cut = yield* Fiber.await(underWay)
    const storage = yield* ArtifactStorage
    const unfinished = yield* Effect.flip(storage.verify({ key: other, ...announced }))
    yield* Storage.upload(other, bytes)

    assert.isTrue(isAway(cut))
    assert.strictEqual(unfinished.reason, "not_uploaded")
    yield* storage.verify({ key, ...announced })
    yield* storage.verify({ key: other, ...announced })
    assert.strictEqual((yield* Storage.filesOnDisk).length, 2)
  })

  it.effect("is made again once for all that miss it at once", () => {
    const { lines, storage } = makeLog()
    return Effect.gen(function* () {
      const directory = yield* Storage.Directory
      yield* Effect.promise(() => rm(directory, { recursive: true }))

      yield* Effect.forEach(
        Array.from({ length: 20 }, Storage.makeKey),
        (key) => Storage.upload(key, bytes),
        {
          concurrency: "unbounded"
        }
      )

      assert.lengthOf(yield* Storage.filesOnDisk, 20)
      assert.deepStrictEqual(lines, [
        `Warn: ${directory} was gone and is made again: what it held is lost unless you put it back`
      ])
    }).pipe(Effect.provide(storage))
  })

  it.effect("that cannot be made is unavailable for everything, and is told of once", () => {
    const { lines, storage } = makeLog()
    return Effect.gen(function* () {
      const [{ key, token }, directory] = [yield* makeStoredFile(), yield* Storage.Directory]
      const away = `${directory} away`
      yield* Effect.promise(() => rename(directory, away))
      yield* Effect.promise(() => writeFile(directory, "a file"))

      const exits = [
        yield* Effect.exit(Storage.upload(key, bytes)),
        yield* Effect.exit(open(token)),
        yield* Effect.exit(Effect.flatMap(ArtifactStorage, (each) => each.verify({ key, ...announced }))),
        yield* Effect.exit(Effect.flatMap(ArtifactStorage, (each) => each.remove(key))),
        yield* Effect.exit(check)
      ]
      yield* Effect.promise(() => rm(directory))
      yield* Effect.promise(() => rename(away, directory))
      const [back, file] = [yield* check, yield* open(token)]

      assert.deepStrictEqual(exits.map(isAway), [true, true, true, true, true])
      assert.strictEqual(back, "ready")
      assert.deepStrictEqual(yield* Storage.collect(file.read(null)), bytes)
      assert.deepStrictEqual(lines, [
        `Error: Files are neither taken nor given until this is mended: Could not look at ${directory}/incoming: a part of the path is a file and not a folder (ENOTDIR)`,
        `Info: Files are taken and given again in ${directory}`
      ])
    }).pipe(Effect.provide(storage))
  })

  test("without its volume takes nothing, which nobody would find afterwards", function* () {
    const [{ key, token }, directory] = [yield* makeStoredFile(), yield* Storage.Directory]
    yield* Effect.promise(() => rename(directory, `${directory} away`))
    // What lies at the mount point of a volume that is not mounted: a folder of another device, and one in which nothing can be made.
    yield* Effect.promise(() => symlink("/dev/fd", directory))

    const exits = [
      yield* Effect.exit(Storage.upload(key, bytes)),
      yield* Effect.exit(open(token)),
      yield* Effect.exit(check)
    ]
    yield* Effect.promise(() => rm(directory))
    yield* Effect.promise(() => rename(`${directory} away`, directory))

    assert.deepStrictEqual(exits.map(isAway), [true, true, true])
    assert.deepStrictEqual(
      exits.map((exit) => String(exit).includes("its volume is not mounted (ENODEV)")),
      [true, true, true]
    )
    assert.strictEqual(yield* check, "ready")
  })

  test("leaves nothing behind when it is checked", function* () {
    assert.strictEqual(yield* check, "ready")

    const directory = yield* Storage.Directory
    assert.deepStrictEqual(yield* Effect.promise(() => readdir(directory, { recursive: true })), ["incoming"])
  })

  it.effect("tells once of a file that it has lost, which is missing for whoever asks", () => {
    const { lines, storage } = makeLog()
    return Effect.gen(function* () {
      const [{ token }, [path = ""]] = [yield* makeStoredFile(), yield* Storage.filesOnDisk]
      yield* Effect.promise(() => rm(path))

      const errors = [yield* Effect.flip(open(token)), yield* Effect.flip(open(token))]

      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["FileMissing", "FileMissing"]
      )
      assert.deepStrictEqual(lines, [
        `Error: A stored file is lost or was changed: ${path}. Restore it from a backup`
      ])
    }).pipe(Effect.provide(storage))
  })

  it.effect.each(["ENOSPC", "EDQUOT"])("that answers %s has no room", (code) =>
    Effect.gen(function* () {
      const fault = new DiskFault({ attempt: "write", cause: Object.assign(new Error(code), { code }) })

      assert.instanceOf(yield* Effect.flip(orFull(Effect.fail(fault))), StorageFull)
    })
  )
})
